# The Dockerfile built by a real engine, buildah, in a root of its own, and its images compared with the archives. Sourced by
# ./run images --prove. Where Docker's registry cannot be reached, a base made from Debian's packages stands in, which is said.

PROOF="$SLUICE_TREE/build/images/proof"
ENGINE="$SLUICE_CACHE/buildah-trixie-$(uname -m)"
BASE="$SLUICE_CACHE/slim-trixie-$(uname -m)"

make_root() {
    local folder=$1
    shift
    make_it() { bootstrap trixie "$folder" --variant=minbase --dpkgopt='path-include=/usr/share/doc/*/copyright' "$@" &&
        as_root mv "$folder.making" "$folder"; }
    timed "making $folder (a minute or two, once)" make_it "$@"
}

prove() {
    require_mmdebstrap
    once "$ENGINE" make_root "$ENGINE" --include=buildah,netavark,ca-certificates,git || return
    once "$BASE" make_root "$BASE" || return
    as_root rm -rf --one-file-system "$PROOF" && mkdir -p "$PROOF" || return
    host_apt_options >"$PROOF/apt.conf"
    as_root unshare --mount --propagation private -- env -u LD_PRELOAD SLUICE_TREE="$SLUICE_TREE" SLUICE_CACHE="$SLUICE_CACHE" \
        bash "$SLUICE_TREE/deploy/images/enter-engine.sh" "$ENGINE" "$BASE" "$PROOF" || return
    (inside python3 -m deploy.images.compare "$SLUICE_TREE/build/images" "$PROOF")
}
