# Progress on standard error, so that a command's own output stays clean.

say() { printf 'run: %s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

# timed WHAT COMMAND…: says what starts, and how long it took or that it failed. Output goes to $SLUICE_LOG.
timed() {
    local what=$1 began=$SECONDS status=0
    shift
    say "$what …"
    "$@" >>"$SLUICE_LOG" 2>&1 || status=$?
    if ((status != 0)); then
        tail -n 20 "$SLUICE_LOG" >&2
        fail "$what failed after $((SECONDS - began)) s; the whole output is in $SLUICE_LOG"
    fi
    say "$what: done in $((SECONDS - began)) s"
}
