#: release [--out DIR] [--sign KEY.pem] [--dirty] … | --verify DIR [--key PUB.pem]    images and chart to publish, with what proves them
#:
#: Builds the release's programs and makes the folder DIR (build/releases/VERSION): the images and the chart as OCI layouts, each
#: with its bill of materials (SPDX) and its provenance (in-toto, SLSA 1) as referrers, the packed chart and the clients as files, the packages
#: of the build root, and SHA256SUMS over all of it. The same commit, packages and helm make the same bytes. docs/release.md says how
#: to publish it. Only this machine's architecture is built; the other one is named as not built.
#:
#: --out DIR          where to; an unchanged release that is there is replaced, another folder has to be empty
#: --version X.Y.Z    the tree's own version, or that with a pre-release: 0.1.0-rc.1
#: --sign KEY.pem     signs SHA256SUMS with this private key (Ed25519, ECDSA or RSA); without it the release is not signed
#: --dirty            takes a tree with files that are in no commit, and says so in what it makes; else that is refused
#: --source URI       where the source lies, for the provenance: git+https://…; nothing is said of it without
#: --builder URI      who builds, for the provenance
#: --verify DIR       checks each digest, size, subject and checksum of a release; with --key PUB.pem its signature, too
#:
#:   openssl genpkey -algorithm ed25519 -out ~/key.pem && openssl pkey -in ~/key.pem -pubout -out ~/pub.pem
#:   ./run release --out ~/sluice-0.1.0 --sign ~/key.pem
#:   ./run release --verify ~/sluice-0.1.0 --key ~/pub.pem

out='' key=/dev/null folder='' options=() sign=() check=()

# A file of the caller's need not be visible inside the platform: keys go in by standard input.
as_input() { [[ -f $1 && -r $1 ]] && key=$(realpath -- "$1") || fail "there is no key $1 to read"; }

while (($#)); do
    case $1 in
        --dirty) options+=("$1"); shift; continue ;;
        --out | --version | --sign | --source | --builder | --verify | --key) (($# > 1)) || fail "$1 needs something behind it" ;;
        *) fail "release does not know $1: ./run release --help" ;;
    esac
    case $1 in
        --out) out=$(realpath -m -- "$2") ;;
        --sign) as_input "$2"; sign=(--sign /dev/stdin) ;;
        --key) as_input "$2"; check=(--key /dev/stdin) ;;
        --verify) [[ -d $2 ]] && folder=$(realpath -- "$2") || fail "there is no folder $2" ;;
        *) options+=("$1" "$2") ;;
    esac
    shift 2
done

# in_folder FOLDER COMMAND…: the current folder is visible inside the platform, under its own path.
in_folder() {
    cd "$1" && shift && inside "$@"
}

if [[ -n $folder ]]; then
    [[ -z $out${sign[*]}${options[*]} ]] || fail "--verify goes with --key only"
    in_folder "$folder" python3 -m deploy.release verify "$folder" "${check[@]}" <"$key"
fi
((${#check[@]} == 0)) || fail "--key goes with --verify only"
said=$(inside python3 -m deploy.release version "${options[@]}") || exit
read -r version state <<<"$said"
attended inside bash "$PLATFORM/build.sh" release sluice-ingress sluice-consumer sluice-poller sluice-command sluicectl >&2 || exit
need_tools || exit
out=${out:-$SLUICE_TREE/build/releases/$version}
mkdir -p "$out" || exit
in_folder "$out" python3 -m deploy.release make --built "$state" --out "$out" "${options[@]}" "${sign[@]}" <"$key"
