#: images [--out DIR] [--registry NAME] | --with ENGINE [ARGUMENT…] | --prove    container images of the release
#:
#: Builds the release and writes one OCI archive and one bill of materials (SPDX) for each program into build/images, without
#: a container engine: docker load, podman load, skopeo and ctr read them. Same commit and same packages, same bytes.
#: --registry is what the images' names begin with (localhost). --with docker, podman or buildah builds deploy/images/Dockerfile
#: instead, with the same files inside; what follows the engine's name goes to its build command. --prove builds both, the
#: Dockerfile by buildah in a root of its own (it compiles everything once more), and says whether they hold the same.

# build_with ENGINE TARGET NAME ARGUMENT…
build_with() {
    local engine=$1 target=$2 name=$3 version revision epoch stamp=()
    shift 3
    version=$(sed -n 's/.*const char\* version = "\([0-9.]*\)".*/\1/p' "$SLUICE_TREE/common/version.hpp")
    revision=$(git -C "$SLUICE_TREE" rev-parse HEAD)
    git -C "$SLUICE_TREE" diff --quiet HEAD || revision+=-dirty
    epoch=$(git -C "$SLUICE_TREE" log -1 --format=%ct)
    # docker takes the time from the build argument of this name.
    [[ $engine == *docker ]] || stamp=(--timestamp "$epoch")
    "$engine" build "${stamp[@]}" --build-arg "VERSION=$version" --build-arg "REVISION=$revision" \
        --build-arg "SOURCE_DATE_EPOCH=$epoch" --file "$SLUICE_TREE/deploy/images/Dockerfile" --target "$target" \
        --tag "localhost/$name:$version" "$@" "$SLUICE_TREE"
}

if [[ ${1:-} == --with ]]; then
    engine=${2:?"--with needs docker, podman or buildah"}
    shift 2
    build_with "$engine" ingress sluice-ingress "$@" && build_with "$engine" consumer sluice-consumer "$@" &&
        build_with "$engine" poller sluice-poller "$@" && build_with "$engine" command sluice-command "$@" &&
        build_with "$engine" ctl sluicectl "$@"
    exit
fi
attended inside bash "$PLATFORM/build.sh" release sluice-ingress sluice-consumer sluice-poller sluice-command sluicectl || exit
if [[ ${1:-} == --prove ]]; then
    # shellcheck source=/dev/null
    source "$SLUICE_TREE/deploy/images/prove.sh"
    attended inside python3 -m deploy.images archives && prove
    exit
fi
inside python3 -m deploy.images archives "$@"
