#!/usr/bin/env bash
# build.sh PRESET [TARGET…]: configures and compiles. Runs inside the platform.
set -euo pipefail
cd "$SLUICE_TREE"

preset=$1
shift

# The heaviest files want nearly 2 GB each: more jobs than that end in a killed compiler.
jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable/ {print int($2 / 2000000)}' /proc/meminfo)
    ((memory < 1)) && memory=1
    echo $((cores < memory ? cores : memory))
}

cmake --preset "$preset"
exec ninja -C "build/$preset" -j "$(jobs)" "$@"
