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

# The release is compiled with a profile of a webhook's steps. They are the same each time, and so are the profile and the programs.
train() {
    local program=build/training/bin/webhook_stages profile=build/training/profile done=build/training/done step
    cmake --preset training
    ninja -C build/training -j "$(jobs)" webhook_stages
    [[ $done -nt $program ]] && return
    rm -rf "$profile" "$done"
    for step in head verify extract encode log; do "$program" "$step" 1000; done
    touch "$done"  # last: what was broken off is begun anew
}

[[ $preset != release ]] || train
cmake --preset "$preset"
exec ninja -C "build/$preset" -j "$(jobs)" "$@"
