#!/usr/bin/env bash
# enter.sh ROOT UID GID PID-FILE COMMAND…: runs COMMAND inside ROOT. Called as root in a mount namespace of its own,
# so that no bind made here can be met by somebody who deletes ROOT. Every step replaces this process:
# COMMAND ends up with its pid, and so gets its signals and gives its exit code. For others the pid is in PID-FILE.
set -euo pipefail

root=$1 uid=$2 gid=$3 pid_file=$4
shift 4
# shellcheck source=deploy/platform/trust.sh
source "$SLUICE_TREE/deploy/platform/trust.sh"

bound=()

covered() {
    local folder
    for folder in "${bound[@]}"; do
        [[ $1 == "$folder" || $1 == "$folder"/* ]] && return
    done
    return 1
}

bind_folder() {
    covered "$1" && return
    mkdir -p "$root$1"
    mount --rbind "$1" "$root$1"
    bound+=("$1")
}

bind_file() {
    [[ -e $1 ]] || return 0
    [[ -e $root$1 ]] || touch "$root$1"
    mount --bind "$(readlink -f "$1")" "$root$1"
}

# The current folder comes too, unless it is one that the platform has of its own.
bind_current_folder() {
    case $PWD in
        / | /bin | /boot | /etc | /etc/* | /lib* | /opt | /run | /sbin | /usr | /usr/bin* | /usr/lib* | /usr/share* | /var | /var/lib) ;;
        *) bind_folder "$PWD" ;;
    esac
}

# A user without a name is refused by some programs, pytest and MySQL among them.
name_user() {
    grep -q "^[^:]*:[^:]*:$uid:" "$root/etc/passwd" ||
        printf 'developer:x:%s:%s::%s:/bin/bash\n' "$uid" "$gid" "$SLUICE_CACHE/home" >>"$root/etc/passwd"
}

for folder in /proc /sys /dev /tmp "$SLUICE_TREE" "$SLUICE_CACHE"; do bind_folder "$folder"; done
bind_current_folder
bind_file /etc/resolv.conf
bind_file /etc/hosts
trust_host "$root"
name_user

((uid == 0)) || echo $$ >"$pid_file"
directory=$PWD
[[ -d $root$directory ]] || directory=/
exec chroot --userspec="$uid:$gid" --groups="$gid" "$root" /usr/bin/env --chdir="$directory" -- "$@"
