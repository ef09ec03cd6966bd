# What this shell starts ends with it. bash runs no trap while it waits for a foreground command, hence the `&` and `wait`.

descendants() {
    local child
    for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
        printf '%s\n' "$child"
        descendants "$child"
    done
}

any_alive() {
    local pid
    for pid in "$@"; do [[ -d /proc/$pid ]] && return; done
    return 1
}

# SIGTERM, and SIGKILL for what is there after five seconds.
end_with_descendants() {
    local pids tries=50
    mapfile -t pids < <(printf '%s\n' "$1"; descendants "$1")
    as_root kill -TERM "${pids[@]}" 2>/dev/null || true
    wait "$1" || true
    while any_alive "${pids[@]}" && ((tries-- > 0)); do sleep 0.1; done
    any_alive "${pids[@]}" && as_root kill -KILL "${pids[@]}" 2>/dev/null || true
}

# attended COMMAND…: as in the foreground, but SIGINT, SIGTERM and SIGHUP end it with everything it has started.
attended() {
    local child status=0
    (trap - INT TERM HUP; "$@") <&0 &
    child=$!
    trap 'end_with_descendants "$child"; exit 130' INT
    trap 'end_with_descendants "$child"; exit 143' TERM HUP
    wait "$child" || status=$?
    trap - INT TERM HUP
    return "$status"
}

# relay PID-FILE COMMAND…: COMMAND belongs to root and cannot be signalled by us; what it becomes, by the pid it writes
# into PID-FILE, can. Ends with COMMAND's exit code.
relay() {
    local pid_file=$1 child status=0
    shift
    (trap - INT TERM HUP; exec "$@") <&0 &
    child=$!
    trap 'kill -TERM "$(cat "$pid_file")" 2>/dev/null' TERM HUP
    # At a terminal everybody in the foreground gets it anyway.
    trap '[[ -t 0 ]] || kill -INT "$(cat "$pid_file")" 2>/dev/null' INT
    while [[ -d /proc/$child ]]; do wait "$child" && status=0 || status=$?; done
    rm -f "$pid_file"
    exit "$status"
}
