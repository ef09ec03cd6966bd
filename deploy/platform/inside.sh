# Running commands inside the platform. A command never learns whether that is a root or the host.

# The host's own tool paths mean nothing inside.
platform_environment() {
    unset PYTHONHOME LD_PRELOAD LD_LIBRARY_PATH JAVA_HOME GOROOT GOPATH XDG_RUNTIME_DIR LC_ALL
    [[ -z ${SSL_CERT_FILE:-} ]] || export SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
    [[ ${TMPDIR:-/tmp} == /tmp/* ]] || unset TMPDIR
    export LANG=C.UTF-8 SLUICE_TREE SLUICE_CACHE PYTHONPATH=$SLUICE_TREE
    export SLUICE_KAFKA_HOME=$KAFKA_HOME SLUICE_MYSQL_HOME=$MYSQL_HOME SLUICE_TOOLS=$TOOLS_HOME SLUICE_PYTHON=$PYTHON_HOME
    export CCACHE_DIR="$SLUICE_CACHE/ccache" CCACHE_BASEDIR=$SLUICE_TREE CCACHE_NOHASHDIR=1
    export CCACHE_SLOPPINESS=pch_defines,time_macros
    # Checked out by somebody else, as in many CI systems, git would refuse the tree.
    export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$SLUICE_TREE
}

# inside COMMAND…: replaces this shell by COMMAND in the platform. Behind sudo it cannot, and relays its signals instead.
inside() {
    attended need_platform || exit
    platform_environment
    host_is_platform && exec "$@"
    local pid_file="$SLUICE_CACHE/log/command-$BASHPID.pid"
    set -- unshare --mount --propagation private -- bash "$PLATFORM/enter.sh" "$PLATFORM_ROOT" "$EUID" "$(id -g)" "$pid_file" \
        env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="$SLUICE_CACHE/home" "$@"
    ((EUID == 0)) && exec "$@"
    relay "$pid_file" sudo --preserve-env "$@"
}
