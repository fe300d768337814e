"""Compares what a composed feature costs to compile with the same code as plain functions.

A feature of 30 children with 20 actions each, in debug, one module: once with `Scope` and `CombineReducers`, once as a `switch`
that calls functions. Prints both times and the ratio; exits 1 if that is above 2.

    swift build && python3 .ci/compile-time.py [--children 30] [--actions 20] [--rounds 5]
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT = 2.0


def child(number, actions, plain):
    cases = "".join(f"    case a{n}(Int)\n" for n in range(actions - 1)) + "    case loaded(String)\n"
    bodies = "".join(
        f"    case .a{n}(let value):\n      state.f{n % 5} += value\n"
        + (f'      return .run(id: "load{n}", overlap: .restart, input: value) {{ value, send in send(.loaded("\\(value)")) }}\n'
           if n % 5 == 0 else "      return .none\n")
        for n in range(actions - 1))
    bodies += "    case .loaded(let text):\n      state.text = text\n      return .none\n"
    fields = "".join(f"    var f{n} = 0\n" for n in range(5)) + '    var text = ""\n'
    types = f"  struct State: Equatable {{\n{fields}  }}\n  enum Action: Equatable, Sendable {{\n{cases}  }}\n"
    function = f"  func reduce(into state: inout State, action: Action) -> Effect<Action> {{\n    switch action {{\n{bodies}    }}\n  }}\n"
    if plain:
        return f"enum Child{number} {{\n{types}  static {function.lstrip()}}}\n\n"
    return f"struct Child{number}: Reducer {{\n{types}{function}}}\n\n"


def parent(children, plain):
    fields = "".join(f"    var c{n} = Child{n}.State()\n" for n in range(children))
    cases = "".join(f"    case c{n}(Child{n}.Action)\n" for n in range(children))
    head = f"  struct State: Equatable {{\n{fields}  }}\n  enum Action: Equatable, Sendable {{\n{cases}  }}\n"
    if plain:
        body = "".join(
            f'    case .c{n}(let action): Child{n}.reduce(into: &state.c{n}, action: action).scoped("c{n}") {{ .c{n}($0) }}\n'
            for n in range(children))
        return (f"struct Parent: Reducer {{\n{head}  func reduce(into state: inout State, action: Action) -> Effect<Action> {{\n"
                f"    switch action {{\n{body}    }}\n  }}\n}}\n")
    paths = "".join(
        f"  static let c{n} = CasePath(\n    embed: Action.c{n}, extract: {{ if case .c{n}(let action) = $0 {{ action }} else {{ nil }} }})\n"
        for n in range(children))
    body = "".join(f"      Scope(\\State.c{n}, action: Self.c{n}) {{ Child{n}() }}\n" for n in range(children))
    return (f"struct Parent: Reducer {{\n{head}{paths}  func reduce(into state: inout State, action: Action) -> Effect<Action> {{\n"
            f"    CombineReducers {{\n{body}    }}\n    .reduce(into: &state, action: action)\n  }}\n}}\n")


def source(children, actions, plain):
    return "import EffectCore\n\n" + "".join(child(n, actions, plain) for n in range(children)) + parent(children, plain)


def compile_once(path, modules):
    begin = time.monotonic()
    subprocess.run(
        ["swiftc", "-swift-version", "6", "-Onone", "-g", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
         "-I", modules, "-module-name", "Feature", "-emit-object", "-o", str(path.with_suffix(".o")), str(path)],
        check=True)
    return time.monotonic() - begin


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--children", type=int, default=30)
    options.add_argument("--actions", type=int, default=20)
    options.add_argument("--rounds", type=int, default=5)
    options = options.parse_args()
    modules = subprocess.run(["swift", "build", "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        contestants = {}
        for name in ("composed", "plain"):
            path = Path(folder, name, "Feature.swift")
            path.parent.mkdir()
            path.write_text(source(options.children, options.actions, name == "plain"))
            contestants[name] = (path, [])
        for round in range(options.rounds + 1):
            for path, times in contestants.values():
                taken = compile_once(path, modules + "/Modules")
                if round > 0:
                    times.append(taken)
        medians = {name: statistics.median(times) for name, (_, times) in contestants.items()}
    ratio = medians["composed"] / medians["plain"]
    print(f"composed {medians['composed']:.2f} s, plain functions {medians['plain']:.2f} s: {ratio:.2f}x (at most {LIMIT:g}x)")
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
