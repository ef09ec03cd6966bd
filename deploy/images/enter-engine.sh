#!/usr/bin/env bash
# enter-engine.sh ROOT BASE OUT: in ROOT, which has buildah, builds the Dockerfile on BASE and leaves OCI archives in OUT. Called as root in
# a mount namespace of its own. Unpacking layers wants a root that is a mount, hence pivot_root in place of chroot.
set -euo pipefail

root=$1 base=$2 out=$3

bind() {
    mkdir -p "$root$1"
    mount "$2" "$1" "$root$1"
}

prepare() {
    local file
    mount --bind "$root" "$root"
    for file in /proc /sys /dev; do bind "$file" --rbind; done
    for file in "$SLUICE_TREE" "$SLUICE_CACHE"; do bind "$file" --bind; done
    for file in /etc/resolv.conf /etc/hosts; do
        [[ -e $root$file ]] || touch "$root$file"
        mount --bind "$(readlink -f "$file")" "$root$file"
    done
    mkdir -p "$root/before" "$root/var/tmp" "$root/tmp"
    cd "$root"
    pivot_root . before
    cd /
    umount -l /before
}

environment() {
    export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TMPDIR=$out/tmp
    export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot CONTAINERS_STORAGE_CONF=$out/storage.conf
    export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$SLUICE_TREE
    mkdir -p "$TMPDIR"
    printf '[storage]\ndriver = "vfs"\nrunroot = "%s/run"\ngraphroot = "%s/storage"\n' "$out" "$out" >"$CONTAINERS_STORAGE_CONF"
}

# Engines raise limits to what they like, and give up where they may not.
limits() {
    local files processes
    files=$(ulimit -Hn) processes=$(ulimit -Hu)
    printf -- '--ulimit nofile=%s:%s --ulimit nproc=%s:%s\n' "${files/unlimited/-1}" "${files/unlimited/-1}" \
        "${processes/unlimited/-1}" "${processes/unlimited/-1}"
}

stand_in() {
    local container
    printf 'run: NOT debian:trixie-slim, which cannot be had here: a base of the same packages stands in\n' >&2
    container=$(buildah from scratch)
    tar -C "$base" --exclude='./var/cache/apt/archives/*.deb' -cf "$out/base.tar" .
    buildah add --quiet "$container" "$out/base.tar" /
    buildah commit --quiet --rm "$container" localhost/stand-in/debian:trixie-slim >&2
    rm "$out/base.tar"
    echo localhost/stand-in/debian:trixie-slim
}

prepare
environment
image=docker.io/library/debian:trixie-slim
timeout 60 buildah pull --quiet "$image" >/dev/null 2>&1 || image=$(stand_in)
read -ra limits < <(limits)
"$SLUICE_TREE/run" images --with buildah --layers --network host --pull=never "${limits[@]}" --build-arg "BASE=$image" \
    --volume "$out/apt.conf:/etc/apt/apt.conf.d/99host:ro" --volume "$SLUICE_CACHE/ccache:/var/cache/ccache"
buildah images --format '{{.Name}}:{{.Tag}}' | grep -E '^localhost/(sluice-ingress|sluice-consumer|sluice-poller|sluice-command|sluicectl):' | while read -r name; do
    buildah push --quiet "$name" "oci-archive:$out/$(basename "${name/:/-}").tar:$name"
done
rm -rf --one-file-system "$out/storage" "$out/run" "$out/tmp"
