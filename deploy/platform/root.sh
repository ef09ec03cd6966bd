# The platform: a Debian 13 root made once, or the host itself when it is one with all the packages.

host_is_platform() {
    [[ -e /etc/sluice-platform ]] && return 0
    grep -qx 'VERSION_ID="13"' /etc/os-release 2>/dev/null && grep -qx 'ID=debian' /etc/os-release || return 1
    local names
    mapfile -t names < <(package_names)
    [[ $(dpkg-query -W -f '${db:Status-Status}\n' "${names[@]}" 2>/dev/null | grep -cx installed) -eq ${#names[@]} ]]
}

require_mmdebstrap() {
    command -v mmdebstrap >/dev/null && [[ -e $SLUICE_KEYRING ]] && return
    command -v apt-get >/dev/null || fail "mmdebstrap is missing and this host has no apt-get: install mmdebstrap and Debian's archive keyring"
    local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends mmdebstrap debian-archive-keyring gpg)
    say "installing mmdebstrap …"
    as_root "${install[@]}" >>"$SLUICE_LOG" 2>&1 && return
    timed "refreshing the host's package lists" as_root apt-get update
    timed "installing mmdebstrap" as_root "${install[@]}"
}

# What the host's apt needs to reach a mirror (proxy, certificates, clock) the new root needs as well.
host_apt_options() {
    command -v apt-config >/dev/null || return 0
    apt-config dump | grep -E '^Acquire::(https?::|Check-|Retries)' | grep -v ' "";$' || true
}

# bootstrap SUITE FOLDER OPTION…: makes it beside FOLDER and renames it, so that what carries the name is whole.
bootstrap() {
    local suite=$1 folder=$2 making option options=() mirror=()
    shift 2
    making="$folder.making"
    [[ -z $SLUICE_MIRROR ]] || mirror=("deb [signed-by=$SLUICE_KEYRING] $SLUICE_MIRROR $suite main")
    while IFS= read -r option; do options+=("--aptopt=$option"); done < <(host_apt_options)
    as_root rm -rf --one-file-system "$making"
    # Its own mount namespace: what a killed run had mounted is gone, and cannot be met by the rm above.
    as_root unshare --mount --propagation private -- mmdebstrap "$@" "${options[@]}" \
        --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        --dpkgopt='path-exclude=/usr/share/locale/*' \
        --aptopt='Acquire::Languages "none"' --skip=check/empty --keyring="$SLUICE_KEYRING" \
        "$suite" "$making" "${mirror[@]}"
}

make_platform() {
    require_mmdebstrap
    bootstrap_platform() {
        bootstrap trixie "$PLATFORM_ROOT" --variant=minbase --include="$(package_names | paste -sd,)" &&
            as_root touch "$PLATFORM_ROOT.making/etc/sluice-platform" &&
            as_root mv "$PLATFORM_ROOT.making" "$PLATFORM_ROOT"
    }
    timed "making the platform, a Debian 13 root of 2.5 GB in $PLATFORM_ROOT (2 to 5 minutes, once)" bootstrap_platform
}

# once FOLDER MAKER…: runs MAKER unless FOLDER is there; of two runs at the same time the second waits.
once() {
    local folder=$1
    shift
    [[ -d $folder ]] && return
    (
        flock --nonblock 9 || { say "waiting for another run that makes $folder"; flock 9; }
        [[ -d $folder ]] || "$@"
    ) 9>"$folder.lock"
}

need_platform() { host_is_platform || once "$PLATFORM_ROOT" make_platform; }
