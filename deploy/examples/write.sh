#!/usr/bin/env bash
# write.sh EXAMPLE DIR: the example's files in DIR, which must be empty or not be there. Needs no platform.
set -euo pipefail

examples=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
files=(sluice.yaml tables.sql test-keys.sh README.md)

stop() {
    printf '%s\n' "$1" >&2
    exit 2
}

(($# == 2)) || stop "--write needs --example NAME and a folder: ./run demo --example orders --write ~/shop"
name=$1 target=$2
[[ $name =~ ^[a-z]+$ && -f $examples/$name/sluice.yaml ]] ||
    stop "there is no example \"$name\"; there are: $(cd "$examples" && printf "%s " */sluice.yaml | sed "s|/sluice.yaml||g")"
[[ ! -e $target || (-d $target && -z $(ls -A -- "$target")) ]] || stop "$target is there and is not an empty folder: name a new one"

mkdir -p -- "$target"
for file in "${files[@]}"; do cp -- "$examples/$name/$file" "$target/"; done
# There is no checkout around it: a link becomes the name of the page.
sed -i 's#\[\([^]]*\)\](\(\.\./\)\{3\}\([^)]*\))#\1 (\3)#g' "$target/README.md"

topics=$(sed -n 's/.*{kafka: {topic: \([^}]*\)}}.*/; make the topic \1/p; s/^  topic: \([^ ]*\).*/; make the topic \1/p' "$target/sluice.yaml")
has() { grep -q "$1" "$target/sluice.yaml"; }
mirrors=$(has '^    mirror:' && echo ' && sluicectl migrate --effects --apply' || true)
programs=(sluice-command) roles=('sluice-command --role serve' 'sluice-command --role book') webhooks=
if has '^sources:'; then
    programs=(sluice-ingress sluice-consumer) webhooks='
     sluicectl topics --apply'
    has '^    poll:' && programs+=(sluice-poller)
    roles=("${programs[@]}" 'sluice-consumer --role retry')
fi
checks=$(printf ' && %s --check' "${programs[@]}")
has '^destinations:' && roles+=('sluice-consumer --role relay')
started=$(printf ', %s' "${roles[@]}")
cat <<END
$target has $name: ${files[*]}

next, in that folder (README.md says more):
  1. change what is marked CHANGE in sluice.yaml
  2. bash test-keys.sh                                     test keys; your own secrets go into secrets/ later
  3. mysql … < tables.sql$topics
  4. export SLUICE_CONFIG=sluice.yaml
     sluicectl migrate --apply$mirrors$webhooks
     ${checks# && }
  5. ${started#, }: one process each
END
