#!/usr/bin/env bash
# The example as its README says to run it: once for a script, then by a fast typist. Called by .ci/run.
set -euo pipefail
cd "$(dirname "$0")/../../.."

swift build --product live-search
found=$(printf 'struct Search: Reducer\n' | swift run --skip-build live-search Examples/02-live-search/Sources)
[[ $found == Examples/02-live-search/Sources/Search.swift:*': struct Search: Reducer {' ]] ||
  { printf 'live-search found, in a pipe: %s\n' "$found" >&2; exit 1; }

python3 Examples/02-live-search/Tests/typed-fast.py "$(swift build --show-bin-path)/live-search"
