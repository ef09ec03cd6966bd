# What `./run test` needs only later is made beside its first stages; a stage waits for it (deploy/platform/testing/stages.py).

# beside NAME COMMAND…: in the background, when nobody else wants the time. SLUICE_MAKING_NAME is its log, locked as long as it runs.
beside() {
    local name=$1 log="$SLUICE_CACHE/log/run-$$-$1.log" lock
    shift
    exec {lock}>>"$log"
    flock "$lock"
    (
        SLUICE_LOG=$log
        renice -n 19 -p "$BASHPID" >/dev/null
        "$@"
    ) </dev/null &
    exec {lock}>&-
    export "SLUICE_MAKING_${name^^}=$log"
}
