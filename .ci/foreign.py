"""What pages of other origins try against the inspector, in a headless Chromium. Used by `inspector.py`.

They know the token, which no page of another origin can. So each must be refused for its origin alone.
"""

import http.client
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from browser import Browser

# Each reads or sends something; the value says what came of it. An opaque answer can be read by no page.
ATTEMPTS = """(async () => {
  const base = BASE, found = {};
  const soon = (make) => new Promise((done) => { make(done); setTimeout(() => done("nothing"), 3000); });
  const read = async (name, path, options) => {
    try {
      const answer = await fetch(base + path, options);
      found[name] = answer.type === "opaque" ? "opaque" : `${answer.status} ${(await answer.text()).length}`;
    } catch (error) { found[name] = "refused"; }
  };
  const send = "send", body = BODY;
  await read("fetch of the page", "");
  await read("fetch of rows", "rows?store=STORE&before=9");
  await read("fetch without cors", "rows?store=STORE&before=9", { mode: "no-cors" });
  for (const type of ["text/plain", "application/json", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    await read(`post of ${type}`, send, { method: "POST", body, headers: { "Content-Type": type } });
    await read(`post of ${type} without cors`, send, { method: "POST", mode: "no-cors", body, headers: { "Content-Type": type } });
  }
  found.beacon = navigator.sendBeacon(base + send, body) ? "queued" : "refused";
  found.image = await soon((done) => {
    const image = new Image();
    image.onload = () => done("loaded");
    image.onerror = () => done("refused");
    image.src = base + "rows?store=STORE&before=9";
  });
  found.script = await soon((done) => {
    const script = document.createElement("script");
    script.onload = () => done("loaded");
    script.onerror = () => done("refused");
    script.src = base + "rows?store=STORE&before=9";
    document.head.append(script);
  });
  found.events = await soon((done) => {
    const source = new EventSource(base + "events?store=STORE");
    source.onopen = () => done("open");
    source.onmessage = () => done("message");
    source.onerror = () => done("refused");
  });
  found.socket = await soon((done) => {
    const socket = new WebSocket(base.replace("http", "ws") + "events?store=STORE");
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
  });
  found.frame = await soon((done) => {
    const frame = document.createElement("iframe");
    frame.onload = () => {
      try { done(`read ${frame.contentDocument.body.textContent.length}`); } catch { done("refused"); }
    };
    frame.src = base;
    document.body.append(frame);
  });
  for (const encoding of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    found[`form of ${encoding}`] = await soon((done) => {
      const target = document.createElement("iframe");
      target.name = `target ${encoding}`;
      const form = document.createElement("form");
      Object.assign(form, { method: "POST", enctype: encoding, action: base + send, target: target.name });
      const field = document.createElement("input");
      // The encoding as text writes an equals sign between the two, which is in a text here.
      const cut = body.indexOf("foreign");
      Object.assign(field, { name: body.slice(0, cut), value: body.slice(cut) });
      form.append(field);
      document.body.append(target, form);
      target.onload = () => { try { void target.contentDocument.body.textContent; } catch { done("sent"); } };
      form.submit();
    });
  }
  return found;
})()"""
HARMLESS = {"refused", "opaque", "nothing", "queued", "sent"}


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Another page</title><body>")

    def log_message(self, *_):
        pass


def answer(address, path, name=None, body=None):
    """The status and the text of a request of the inspector's own page."""
    host, token = address.removeprefix("http://").rstrip("/").split("/")
    connection = http.client.HTTPConnection(host, timeout=20)
    headers = {"Host": name or host}
    if body:
        headers |= {"Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json"}
    connection.request("POST" if body else "GET", f"/{token}/{path}", body, headers)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def message(store, text):
    """What the page sends for an action of the search."""
    return json.dumps({"store": store, "action": json.dumps({"queryChanged": {"_0": text}})})


def send(address, store, text):
    """Whether the store accepts an action of the inspector's own page and reduces it, with all that came before."""
    if answer(address, "send", body=message(store, text))[0] != 200:
        return False
    # The answer comes before the reduction.
    deadline = time.monotonic() + 10
    while text not in answer(address, f"rows?store={store}&before=1000000000&text={text}")[1]:
        if time.monotonic() > deadline:
            return False
    return True


def check(address):
    """Violations, with how many attempts there were printed."""
    violations, count = [], 0
    host, token = address.removeprefix("http://").rstrip("/").split("/")
    port = host.split(":")[1]
    store = next((number for number in range(1, 9) if send(address, number, "control")), None)
    if store is None:
        return ["an action of the inspector's own page has not reached a store"]
    rows = f"rows?store={store}&before=1000000000"
    attempts = ATTEMPTS.replace("BODY", json.dumps(message(store, "foreign"))).replace("STORE", str(store))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    other = server.server_address[1]
    # Names that lead to this machine, as an attacker's name server can make them.
    names = ["rebound.example", "localhost.example", "127.0.0.1.example"]
    try:
        with Browser(deadline=180, trusted=("http:", "ws:"), options=["--host-resolver-rules=MAP *.example 127.0.0.1"]) as browser:
            for origin in [f"http://127.0.0.1:{other}/", f"http://localhost:{other}/", f"http://{names[0]}:{other}/"]:
                for base in [address, f"http://localhost:{port}/{token}/", f"http://{names[0]}:{port}/{token}/"]:
                    browser.open(origin)
                    for attempt, result in browser.run(attempts.replace("BASE", json.dumps(base))).items():
                        count += 1
                        if result not in HARMLESS:
                            violations.append(f"a page of {origin} at {base}: {attempt}: {result}")
            for name in names:
                count += 1
                browser.open(f"http://{name}:{port}/{token}/")
                if browser.run("document.querySelector('#stores') !== null"):
                    violations.append(f"the page is shown under the name {name}")
        for name in names + [f"{name}:{port}" for name in names] + ["localhost.", f"0.0.0.0:{port}", "[::1]"]:
            count += 1
            status, _ = answer(address, rows, name)
            if status != 403:
                violations.append(f"a request for the host {name}: {status}")
    finally:
        server.shutdown()
    if not send(address, store, "behind"):
        violations.append("the last action of the inspector's own page has not reached the store")
    if "foreign" in answer(address, f"{rows}&text=foreign")[1]:
        violations.append("an action of another page has reached the store")
    print(f"foreign.py: {count} attempts of other pages")
    return violations
