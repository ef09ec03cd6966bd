# Where things lie. Sourced by ./run; SLUICE_TREE is the repository's root.

: "${HOME:=$(cd ~ && pwd)}"
SLUICE_CACHE="${SLUICE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/sluice}"
SLUICE_MIRROR="${SLUICE_MIRROR:-}" # of Debian; empty: the one that mmdebstrap takes by default
SLUICE_LOG="$SLUICE_CACHE/log/run-$$.log"
SLUICE_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
PLATFORM="$SLUICE_TREE/deploy/platform"

# keyed NAME FILE…: a folder of the cache whose name changes when one of the files does.
keyed() { printf '%s/%s-%s' "$SLUICE_CACHE" "$1" "$(cat "${@:2}" | sha256sum | cut -c1-12)"; }

package_names() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$PLATFORM/packages.list"; }

PLATFORM_ROOT=$(keyed "trixie-$(uname -m)" "$PLATFORM/packages.list")
KAFKA_HOME=$(keyed kafka "$PLATFORM/kafka/pom.xml")
TOOLS_HOME=$(keyed tools "$PLATFORM/tools/go.mod" "$PLATFORM/tools/go.sum" "$PLATFORM/tools/build.sh")
PYTHON_HOME=$(keyed python "$PLATFORM/python/requirements.txt")
MYSQL_HOME="$SLUICE_CACHE/mysql-sid-$(uname -m)"

mkdir -p "$SLUICE_CACHE/log" "$SLUICE_CACHE/home" "$SLUICE_CACHE/ccache"
find "$SLUICE_CACHE/log" -name 'run-*.log' -mtime +7 -delete
