# Becoming root where that is needed: as it is, or through sudo.

as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo --preserve-env "$@"
    else
        fail "this step needs root: run as root, or install sudo"
    fi
}
