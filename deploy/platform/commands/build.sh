#: build [PRESET] [TARGET…]    configure and compile; programs in build/PRESET/bin/
#:
#: PRESET is dev, release (the default), asan, tsan, coverage or fuzz. Compiles through ccache, with as many jobs as cores and memory allow.

preset=${1:-release}
(($#)) && shift
inside bash "$PLATFORM/build.sh" "$preset" "$@"
