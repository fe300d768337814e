"""Compiles and runs the code that failures of test stores propose.

`python3 .ci/proposals.py 300 [--seed 1] [--folder DIR]` makes that many features with random states and actions, takes a step
without its closure or without `receive`, pastes what the failure proposes, and runs that. A proposal must compile and make the
test green, or say in words that it is incomplete. Prints the proposals that do neither. The folder is kept if it is given:
building the package again takes less time then.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Types and values of them: each value is one that the type's code can be asked for.
# What reflection does not show, as Testing.md says: setters that are private, a tuple that is one value, and observers.
LIMITS = ["setter is inaccessible", "expects a single parameter of type"]
OBSERVED = "ObservedLast"

DECLARATIONS = r"""
enum Plain: Equatable, Sendable { case first, second, `default`, none }
enum Loading: Equatable, Sendable { case idle, loaded(String), failed(code: Int), both(Int, String), named(a: Int, b: String) }
indirect enum Tree: Equatable, Sendable { case leaf, node(Tree, Int, Tree) }
enum Voids: Equatable, Sendable {
  case start, done(Void), pair((Int, String)), point((x: Int, y: Int))
  static func == (left: Voids, right: Voids) -> Bool { "\(left)" == "\(right)" }
}
enum Overloaded: Equatable, Sendable { case none, load(id: Int), load(name: String) }
enum Numbered: Int, Equatable, Sendable { case one = 1, two }
struct Point: Hashable, Sendable { var x = 0; var y = 0 }
struct Fixed: Hashable, Sendable { let id: Int; let name: String }
struct Mixed: Hashable, Sendable { let id: Int; var name: String; var tags: [String] = [] }
struct OwnInit: Equatable, Sendable { var total: Int; init(_ a: Int, plus b: Int) { total = a + b } }
struct OwnInitLet: Equatable, Sendable { let total: Int; init(_ a: Int, plus b: Int) { total = a + b } }
struct Guarded: Equatable, Sendable { private(set) var count = 0; init(_ count: Int) { self.count = count } }
struct Observed: Equatable, Sendable { var text = "" { didSet { count += 1 } }; var count = 0 }
struct Halved: Equatable, Sendable { var text = ""; var isEmpty: Bool { text.isEmpty } }
struct Words: Equatable, Sendable { var `class` = 0; var `in` = ""; var `self` = false }
struct Odd: Equatable, Sendable { var `two words` = 0; var 🦊 = ""; var größe = 1.5 }
struct Box<Value: Equatable & Sendable>: Equatable, Sendable { var value: Value }
struct Row: Hashable, Identifiable, Sendable { let id: Int; var title: String; var isDone = false }
struct Tagged: Hashable, RawRepresentable, Sendable { let rawValue: String }
struct Options: OptionSet, Hashable, Sendable {
  let rawValue: Int
  static let bold = Options(rawValue: 1), italic = Options(rawValue: 2)
}
struct Tuples: Equatable, Sendable {
  var pair = (1, "a")
  var point: (x: Int, y: Int) = (0, 0)
  static func == (left: Tuples, right: Tuples) -> Bool { "\(left)" == "\(right)" }
}
protocol Shape: Sendable {}
enum Round: Shape, Equatable { case circle(Int), dot }
struct Square: Shape, Equatable { var side: Int }
struct Drawn: Equatable, Sendable {
  var shape: any Shape = Round.dot
  static func == (left: Drawn, right: Drawn) -> Bool { "\(left)" == "\(right)" }
}
struct Gallery: Equatable, Sendable {
  var shapes: [any Shape] = []
  var first: (any Shape)?
  var named: [String: any Shape] = [:]
  static func == (left: Gallery, right: Gallery) -> Bool { "\(left)" == "\(right)" }
}
struct ObservedLast: Equatable, Sendable { var count = 0; var text = "" { didSet { count += 1 } } }
struct Lazily: Equatable, Sendable { var seed = 1; var note: String { "\(seed)" } }
struct Handler: Equatable, Sendable {
  var name = ""
  var call: @Sendable () -> Int = { 1 }
  static func == (left: Handler, right: Handler) -> Bool { left.name == right.name }
}
final class Reference: Equatable, Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
  static func == (left: Reference, right: Reference) -> Bool { left.number == right.number }
}
enum Space { struct Inner: Hashable, Sendable { var depth = 0; enum Kind: Hashable, Sendable { case a, b(Int) }; var kind = Kind.a } }
enum Failure: Error, Equatable { case offline, status(Int) }
@propertyWrapper struct Clamped: Equatable, Sendable {
  private var stored: Int
  init(wrappedValue: Int) { stored = min(wrappedValue, 9) }
  var wrappedValue: Int { get { stored } set { stored = min(newValue, 9) } }
}
struct Wrapping: Equatable, Sendable { @Clamped var level = 0; var name = "" }
struct Spoken: Equatable, Sendable, CustomStringConvertible { var number = 0; var description: String { "number\n\(number)" } }
"""

LONG = '"' + "some words of a long text " * 12 + '"'
BASE = {
    "Int": ["0", "1", "-7", "Int.max", "Int.min"],
    "UInt8": ["0", "255"],
    "Double": ["0.5", "-0.0", "1e300", ".infinity", "2"],
    "Float": ["0.1", "3"],
    "Bool": ["true", "false"],
    "String": ['""', '"a"', r'"two \"words\" \\ \n of text"', '"🦊 é"', r'"#\"\"\"#"', r'"\0 and \u{7}"', LONG],
    "Character": ['"a"', r'"\n"', '"é"'],
    "Substring": ['"ab"', '"c"'],
    "Unicode.Scalar": ['"a"', '"é"'],
    "Duration": [".seconds(1)", ".milliseconds(1500)", ".zero", ".seconds(-3)", "Duration(attoseconds: 1)"],
    "UUID": ['UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!', 'UUID(uuidString: "00000000-0000-0000-0000-000000000001")!'],
    "Date": ["Date(timeIntervalSince1970: 0)", "Date(timeIntervalSinceReferenceDate: 1.5)"],
    "URL": ['URL(string: "https://example.com/a?b=c")!', 'URL(filePath: "/tmp/a b")'],
    "Data": ["Data([1, 2, 3])", "Data()", 'Data("text".utf8)'],
    "Decimal": ["Decimal(1)", 'Decimal(string: "1.25")!'],
    "Range<Int>": ["0..<3", "1..<9"],
    "ClosedRange<Int>": ["0...3", "1...9"],
    "Set<String>": ["[]", '["a"]', '["a", "b"]', '["b", "c", "d"]'],
    "Set<Point>": ["[]", "[Point(x: 1)]", "[Point(x: 1), Point(y: 2)]"],
    "Result<Int, Failure>": [".success(1)", ".failure(.offline)", ".failure(.status(3))"],
    "Plain": [".first", ".second", ".default", ".none"],
    "Plain?": ["nil", ".some(.none)", ".some(.first)"],
    "Loading": [".idle", '.loaded("a")', ".failed(code: 1)", '.both(1, "b")', '.named(a: 1, b: "c")'],
    "Tree": [".leaf", ".node(.leaf, 1, .leaf)", ".node(.node(.leaf, 1, .leaf), 2, .leaf)"],
    "Voids": [".start", ".done(())", '.pair((1, "a"))', ".point((x: 1, y: 2))"],
    "Overloaded": [".none", ".load(id: 1)", '.load(name: "a")'],
    "Numbered": [".one", ".two"],
    "Point": ["Point()", "Point(x: 1)", "Point(x: 1, y: 2)"],
    "Fixed": ['Fixed(id: 1, name: "a")', 'Fixed(id: 1, name: "b")', 'Fixed(id: 2, name: "b")'],
    "Mixed": ['Mixed(id: 1, name: "a")', 'Mixed(id: 1, name: "b", tags: ["c"])', 'Mixed(id: 2, name: "a")'],
    "OwnInit": ["OwnInit(1, plus: 2)", "OwnInit(3, plus: 4)"],
    "OwnInitLet": ["OwnInitLet(1, plus: 2)", "OwnInitLet(3, plus: 4)"],
    "Guarded": ["Guarded(1)", "Guarded(2)"],
    "Observed": ["Observed()", 'Observed(text: "a", count: 1)', 'Observed(text: "b", count: 5)'],
    "Halved": ["Halved()", 'Halved(text: "a")'],
    "Words": ["Words()", 'Words(class: 1, in: "a", self: true)', "Words(class: 1)"],
    "Odd": ["Odd()", 'Odd(🦊: "a")', "Odd(`two words`: 2, größe: 2)"],
    "Box<Int>": ["Box(value: 1)", "Box(value: 2)"],
    "Box<String?>": ["Box(value: nil)", 'Box(value: "a")'],
    "Box<Box<Point>>": ["Box(value: Box(value: Point()))", "Box(value: Box(value: Point(x: 1)))"],
    "Row": ['Row(id: 1, title: "a")', 'Row(id: 1, title: "b", isDone: true)', 'Row(id: 2, title: "a")'],
    "Tagged": ['Tagged(rawValue: "a")', 'Tagged(rawValue: "b")'],
    "Options": ["[]", ".bold", "[.bold, .italic]"],
    "Tuples": ["Tuples()", 'Tuples(pair: (2, "b"))', "Tuples(point: (x: 1, y: 1))"],
    "Drawn": ["Drawn()", "Drawn(shape: Round.circle(1))", "Drawn(shape: Square(side: 2))", "Drawn(shape: Square(side: 3))"],
    "Gallery": [
        "Gallery()", "Gallery(shapes: [Round.dot, Square(side: 2)])", "Gallery(first: Round.circle(2))",
        'Gallery(shapes: [Square(side: 3)], named: ["a": Square(side: 1)])'],
    "ObservedLast": ["ObservedLast()", 'ObservedLast(count: 1, text: "a")', 'ObservedLast(count: 5, text: "b")'],
    "Lazily": ["Lazily()", "Lazily(seed: 2)"],
    "Handler": ["Handler()", 'Handler(name: "a", call: { 2 })'],
    "Reference": ["Reference(1)", "Reference(2)"],
    "Space.Inner": ["Space.Inner()", "Space.Inner(depth: 1)", "Space.Inner(depth: 1, kind: .b(2))"],
    "Space.Inner.Kind": [".a", ".b(1)"],
    "Wrapping": ["Wrapping()", 'Wrapping(level: 3, name: "a")'],
    "Spoken": ["Spoken()", "Spoken(number: 1)"],
    "ChildStack<Int>": ["ChildStack()", "ChildStack([1])", "ChildStack([1, 2, 3])"],
    "EffectID": ['"a"', 'EffectID(7)', "EffectID(Plain.first)"],
    "Int??": ["nil", ".some(nil)", "1"],
    "[Int: String]": ["[:]", '[1: "a"]', '[1: "b", -2: "c"]'],
    "[Plain: Int]": ["[:]", "[.first: 1]", "[.first: 2, .second: 3]"],
    "[Tagged: Point]": ["[:]", '[Tagged(rawValue: "a"): Point()]', '[Tagged(rawValue: "a"): Point(x: 1)]'],
    "[Row]": ["[]", '[Row(id: 1, title: "a")]', '[Row(id: 1, title: "b"), Row(id: 2, title: "c")]', '[Row(id: 2, title: "c")]'],
    "[[Int]]": ["[]", "[[1], []]", "[[1, 2], [3]]"],
}
NOT_A_KEY_VALUE = {"Plain?", "Int??"}


class Kinds:
    """Draws types and values."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seen = set()

    def type(self, depth=0):
        base = self.random.choice(sorted(BASE))
        kind = self.random.choice(["plain"] * 4 + ["optional", "array", "dictionary", "box"]) if depth < 2 else "plain"
        if kind == "optional" and not base.endswith("?"):
            return base + "?"
        if kind == "array":
            return f"[{base}]"
        if kind == "dictionary" and not base.endswith("?"):
            return f"[String: {base}]"
        if kind == "box":
            return f"Box<{base}>"
        return base

    def value(self, type):
        choice = self.random.choice
        if type in BASE:
            return choice(BASE[type])
        if type.endswith("?"):
            return choice(["nil", f".some({self.value(type[:-1])})"])
        if type.startswith("[String: "):
            inner = type[len("[String: "):-1]
            keys = self.random.sample(["a", "b", "c d"], self.random.randint(0, 3))
            return "[" + (", ".join(f'"{key}": {self.value(inner)}' for key in keys) or ":") + "]"
        if type.startswith("["):
            count = choice([0, 1, 2, 3, 9])
            return "[" + ", ".join(self.value(type[1:-1]) for _ in range(count)) + "]"
        if type.startswith("Box<"):
            return f"Box(value: {self.value(type[4:-1])})"
        raise ValueError(type)

    def sample(self, number):
        types = [self.type() for _ in range(self.random.randint(1, 3))]
        self.seen.update(types)
        old = [self.value(type) for type in types]
        new = [self.value(type) for type in types]
        form = self.random.choice(["send", "send", "wrong", "receive", "receive"])
        payload = self.type()
        self.seen.add(payload)
        label = self.random.choice(["", "value: ", "(two)", "(closure)"])
        sibling = self.random.choice(["", "", ", got(other: Bool)"]) if label != "(two)" else ""
        return Sample(number, types, old, new, form, payload, self.value(payload), label, sibling)


class Sample:
    """A feature and a step of it that lacks what must be written."""

    def __init__(self, number, types, old, new, form, payload, value, label, sibling):
        self.sibling = sibling
        self.number, self.types, self.old, self.new, self.form = number, types, old, new, form
        self.payload, self.value, self.label = payload, value, label

    @property
    def name(self):
        return f"Sample{self.number}"

    def source(self, proposal=None):
        fields = "\n".join(f"    var p{i}: {type} = {old}" for i, (type, old) in enumerate(zip(self.types, self.old)))
        sets = "\n".join(f"      state.p{i} = {new}" for i, new in enumerate(self.new))
        if self.label == "(two)":
            case, call = f"got({self.payload}, count: Int)", f".got({self.value}, count: 3)"
        elif self.label == "(closure)":
            case, call = f"got({self.payload}, @Sendable () -> Int)", f".got({self.value}, {{ 1 }})"
        else:
            case, call = f"got({self.label}{self.payload})", f".got({self.label}{self.value})"
        receives = self.form == "receive"
        steps = "store.send(.go)"
        if self.form == "wrong" and proposal is None:
            steps = "store.send(.go) { _ in }"
        elif proposal is not None and not receives:
            steps = f"store.send(.go) {proposal}"
        elif proposal is not None:
            steps += "\n" + proposal
        return f"""import EffectTesting
import Foundation

struct {self.name}: Reducer {{
  struct State: Equatable, Sendable {{
{fields}
  }}
  enum Action: {"" if self.label == "(closure)" else "Equatable, "}Sendable {{ case go, {case}{self.sibling} }}
  func reduce(into state: inout State, action: Action) -> Effect<Action> {{
    switch action {{
    case .go:
      {"return .send(" + call + ")" if receives else ""}
{"" if receives else sets}
    default:
      {"" if receives else "break"}
{sets if receives else ""}
    }}
    return .none
  }}
  static func failures() async -> [String] {{
    await reportedFailures {{
      let store = TestStore(initialState: State(), reducer: {self.name}())
      {steps}
      await store.finish()
    }}
  }}
}}
"""


def write(folder, samples, proposals=None):
    sources = folder / "Sources" / "proposals"
    sources.mkdir(parents=True, exist_ok=True)
    for old in sources.glob("Sample*.swift"):
        old.unlink()
    (folder / "Package.swift").write_text(
        f"""// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "proposals", platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-effects", path: "{ROOT}")],
  targets: [
    .executableTarget(name: "proposals", dependencies: [.product(name: "EffectTesting", package: "swift-effects")])
  ])
"""
    )
    (sources / "Kinds.swift").write_text("import EffectTesting\nimport Foundation\n" + DECLARATIONS)
    calls = "\n".join(f'    ("{sample.name}", {{ await {sample.name}.failures() }}),' for sample in samples)
    (sources / "Main.swift").write_text(
        f"""import Foundation

@main enum Main {{
  static let samples: [(String, @Sendable () async -> [String])] = [
{calls}
  ]
  static func main() async throws {{
    for (name, failures) in samples {{
      // Without a buffer, because a trap would lose what is in it.
      FileHandle.standardOutput.write(try JSONEncoder().encode([name] + (await failures())) + Data("\\n".utf8))
    }}
  }}
}}
"""
    )
    for sample in samples:
        (sources / f"{sample.name}.swift").write_text(sample.source(proposals and proposals[sample.name]))


def build(folder):
    """The samples that do not compile, with the first error of each."""
    made = subprocess.run(["swift", "build", "--package-path", folder], capture_output=True, text=True)
    errors = {}
    for name, text in re.findall(r"(Sample\d+)\.swift:\d+:\d+: error: (.*)", made.stdout + made.stderr):
        errors.setdefault(name, text)
    if made.returncode and not errors:
        sys.exit(made.stdout[-4000:] + made.stderr[-4000:])
    return errors


def run(folder):
    """The failures of each sample; those behind a sample that ends the process are missing."""
    made = subprocess.run(["swift", "run", "--skip-build", "--package-path", folder, "proposals"], capture_output=True, text=True)
    if made.returncode:
        print("\n".join(line for line in made.stderr.split("\n") if "rror: " in line)[:1000])
    found = {}
    for line in made.stdout.split("\n"):
        if line.startswith('["Sample'):
            name, *failures = json.loads(line)
            found[name] = failures
    return found


def build_and_run(folder, samples, proposals=None):
    """What does not compile, and the failures of the others; a process that ends early is missing the rest."""
    errors = {}
    while True:
        rest = [sample for sample in samples if sample.name not in errors]
        write(folder, rest, proposals)
        found = build(folder)
        if not found:
            break
        errors.update(found)
    results, traps = {}, []
    while rest:
        results |= run(folder)
        missing = [sample for sample in rest if sample.name not in results and sample.name not in traps]
        if not missing:
            break
        traps.append(missing[0].name)
        write(folder, [sample for sample in missing[1:]], proposals)
        build(folder)
    return errors, results, traps


CLOSURE = re.compile(r"(?:closure after the step: |the closure is: )`(\{.*?\})`(?:[.]|$| )", re.S)
BLOCK = re.compile(r"(?:after the step|closure is):\n\n((?:  .*\n?|\n)+)")
ONE_RECEIVE = re.compile(r"Write `(await store\.receive.*?)` for it before this step", re.S)
RECEIVE = re.compile(r"(?:before this step|first ones are|the first is):\n\n((?:  .*\n?|\n)+)")
WORDS = ["Not written here as code", "too long to be shown", "too long to be written", "`.init` is called", "reflection does not show", "// …"]


def proposal(sample, failures):
    """The code that the failures propose, or `None`; and whether they say that it is incomplete."""
    text = "\n\n".join(failures)
    words = any(word in text for word in WORDS)
    patterns = [ONE_RECEIVE, RECEIVE] if sample.form == "receive" else [BLOCK, CLOSURE]
    for pattern in patterns:
        match = pattern.search(text)
        if match:
            return match.group(1).rstrip(), words
    return None, words


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder")
    given = parser.parse_args()
    kinds = Kinds(given.seed)
    samples = [kinds.sample(number) for number in range(given.count)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(given.folder or temporary)
        errors, results, traps = build_and_run(folder, samples)
        print(f"{given.count} features of {len(kinds.seen)} kinds, seed {given.seed}; {len(errors)} do not compile")
        for name, text in list(errors.items())[:5]:
            print(f"  {name}: {text}")
        table = dict.fromkeys(["no change", "only words", "green", "green, says incomplete", "incomplete, as it says", "a documented limit", "WRONG"], 0)
        proposals, said = {}, {}
        for sample in samples:
            failures = results.get(sample.name)
            if sample.name in traps:
                table["WRONG"] += 1
                print(f"TRAP before a proposal: {sample.name}")
            elif failures == [] or failures and failures[0].endswith("Leave the closure out, or set in it what should change."):
                table["no change"] += 1
            elif failures:
                code, said[sample.name] = proposal(sample, failures)
                if code:
                    proposals[sample.name] = code
                elif said[sample.name] or "Write a `receive` step" in failures[0]:
                    table["only words"] += 1
                else:
                    table["WRONG"] += 1
                    print(f"NO CODE AND NO REASON: {sample.name}\n{failures[0]}\n")
        pasted = [sample for sample in samples if sample.name in proposals]
        errors, again, traps = build_and_run(folder, pasted, proposals)
        for sample in pasted:
            name = sample.name
            green = again.get(name) == []
            if green:
                table["green, says incomplete" if said[name] else "green"] += 1
            elif said[name] and name not in traps:
                table["incomplete, as it says"] += 1
            elif any(limit in errors.get(name, "") for limit in LIMITS) or OBSERVED in " ".join(sample.types):
                table["a documented limit"] += 1
            else:
                table["WRONG"] += 1
                reason = errors.get(name) or ("it traps" if name in traps else "\n".join(again.get(name, ["it did not run"])))
                print(f"WRONG: {name}, {sample.form}\n{proposals[name]}\n  states {sample.types}: {sample.old} -> {sample.new}")
                print(f"  payload {sample.label}{sample.payload}: {sample.value}\n  {reason[:600]}\n")
        for row, count in table.items():
            print(f"{count:6} {row}")
        sys.exit(table["WRONG"] > 0)


if __name__ == "__main__":
    main()
