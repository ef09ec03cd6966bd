#: upgrade [--record] [--database mysql,mariadb] [-k EXPR]    the programs of the release before, beside ours
#:
#: Builds ingress, consumer and sluicectl of the commit named in deploy/upgrade/previous (or SLUICE_PREVIOUS=COMMIT) into
#: build/previous/COMMIT, once, and runs tests/upgrade: both releases in one installation, a rolling upgrade and a rollback under
#: load, on MySQL and MariaDB. Needs `./run build dev` (done first) and the history: without the commit it says "not run", exit 3.
#: --record writes what tests/integration reads of that release, tests/upgrade/records and tests/upgrade/statements.sql; for the
#: latter it runs some integration tests with those programs, too.

previous=${SLUICE_PREVIOUS:-$(awk '!/^#/ && NF {print $1; exit}' "$SLUICE_TREE/deploy/upgrade/previous")}
git -C "$SLUICE_TREE" cat-file -e "$previous^{commit}" 2>/dev/null || {
    say "not run: this clone has no commit $previous (a shallow history?); git fetch --unshallow brings it"
    exit 3
}
tree="$SLUICE_TREE/build/previous/$previous"
if [[ ! -f $tree/run ]]; then
    mkdir -p "$tree"
    git -C "$SLUICE_TREE" archive "$previous" | tar -x -C "$tree" || fail "the tree of $previous cannot be unpacked"
fi
# In our platform, which has all that it had.
(SLUICE_TREE=$tree inside bash "$tree/deploy/platform/build.sh" dev sluice-ingress sluice-consumer sluicectl) >&2 ||
    fail "the programs of $previous do not build"
need_servers
(inside bash "$PLATFORM/build.sh" dev sluice-ingress sluice-consumer sluicectl) >&2 || fail "our programs do not build"
export SLUICE_PREVIOUS_BIN="$tree/build/dev/bin"
(inside python3 -m pytest -q "$SLUICE_TREE/tests/upgrade" "$@") || exit
[[ " $* " == *" --record "* ]] || exit 0
export SLUICE_BIN=$SLUICE_PREVIOUS_BIN
(inside python3 -m pytest -q -n 2 --dist loadfile -p tests.upgrade.recording "$SLUICE_TREE"/tests/integration/test_{lanes,commands,quarantine,dlq_read,retention}.py) ||
    say "some of our tests want programs of ours; what the older ones prepared is recorded"
