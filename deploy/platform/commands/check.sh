#: check [FILE…]    before a commit, in under a minute: format, the rules of tests/style, clang-tidy for what has changed
#:
#: Without FILE, clang-tidy takes the sources of common, consumer, ctl and ingress that differ from HEAD, or those of the last
#: commit if none do. `./run test` takes all of them. The checks are in .clang-tidy. It needs build/dev and makes it if it is
#: missing. To run it before each commit: printf '#!/bin/sh\nexec ./run check\n' >.git/hooks/pre-commit, then chmod +x.
#: Exit 1 if anything is found.

# Each in a shell of its own, which `inside` replaces.
[[ -f $SLUICE_TREE/build/dev/compile_commands.json ]] || (inside bash "$PLATFORM/build.sh" dev) || exit
(($#)) || set -- --changed
(inside bash "$PLATFORM/fmt.sh" --dry-run -Werror) || exit
(inside python3 -m pytest -q "$SLUICE_TREE/tests/style") || exit
inside python3 -m deploy.platform.testing.tidy "$@"
