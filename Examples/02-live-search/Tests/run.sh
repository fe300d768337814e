#!/usr/bin/env bash
# The example as its README says to run it: once for a script, then by a fast typist. Called by .ci/run.
set -euo pipefail
cd "$(dirname "$0")/../../.."

swift build --product live-search
found=$(printf 'struct Search: Reducer\n' | swift run --skip-build live-search Examples/02-live-search/Sources)
[[ $found == Examples/02-live-search/Sources/Search.swift:*': struct Search: Reducer {' ]] ||
  { printf 'live-search found, in a pipe: %s\n' "$found" >&2; exit 1; }

# Recorded into the same directory that is searched: the search must not find its own recording.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'alpha\nbravo alpha\n' >"$folder/notes.txt"
printf 'alpha\nnothing\n' | swift run --skip-build live-search --record "$folder/session" "$folder" >/dev/null 2>&1
written=$(swift run --skip-build live-search --test "$folder/session")
[[ $written == *'"query":"alpha"'*'"query":"nothing"'*'store.replay(recording'* ]] ||
  { printf 'live-search wrote the test: %s\n' "$written" >&2; exit 1; }

python3 Examples/02-live-search/Tests/typed-fast.py "$(swift build --show-bin-path)/live-search"
