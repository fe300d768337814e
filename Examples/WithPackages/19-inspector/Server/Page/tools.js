// What all parts of the page use.
export const $ = (id) => document.getElementById(id);

export function make(name, text, properties = {}) {
  const element = Object.assign(document.createElement(name), properties);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Sets a text, if it is another one: a screen reader reads each text that is set. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const grouped = (number) => number.toLocaleString("en");

export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(3)} s`;

/** The parameters of an address. The server does not read a plus sign as a space. */
export const query = (parameters) => String(new URLSearchParams(parameters)).replaceAll("+", "%20");

/** The answer of the server, or an error with the reason it gives. */
async function answered(response) {
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? `The server answers ${response.status}.`);
  return answer;
}

export const read = async (path, parameters) => answered(await fetch(`${path}?${query(parameters)}`));

export const change = async (path, body) => answered(await fetch(path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
}));
