#: fuzz [--seconds N] [--target NAME] [--jobs N] [--seed S] [--fresh] | --replay FILE    hostile input for the parsers
#:
#: Builds the targets (clang, libFuzzer, address and undefined-behaviour sanitizers) and runs each for N seconds (default
#: 60) in turn, over its seeds and what earlier runs found (build/fuzz/corpus). --target chooses, also more than once:
#: gate, beast, signature, recipe, engine, extract, envelope, resp, config, values, placeholders. --jobs is the number of
#: processes per target, --seed where their chance begins (default: anywhere, and printed), --fresh begins with the seeds
#: alone, as in CI. Ends with a table; exit 1 on a finding, which is kept in build/fuzz/findings and printed whole, with the
#: command that replays it.
#: What the targets promise: tests/fuzz/README.md.

(inside bash "$PLATFORM/build.sh" fuzz) >&2 || fail "the fuzz targets do not build"
inside python3 -m tests.fuzz.runner "$@"
