#: demo [--once] [--json FILE] [--seed N]    the whole path at work, with sums compared at the end
#:
#: Builds the release, starts Kafka, MySQL, Redis and both programs, sends 2,000 signed Stripe events with duplicates,
#: forgeries, stale ones and disorder, waits until all are applied and shows what became of them. Stays up until Ctrl-C;
#: with --once it stops everything and exits 0 only when every check holds. --json writes the figures, --seed repeats a run.
#: Says what is left, and how many seconds each step took. On an empty machine with two cores it takes about five minutes.

left=()
[[ -d $MYSQL_HOME ]] || left+=("MySQL (a minute)")
host_is_platform || [[ -d $PLATFORM_ROOT ]] || left+=("a Debian 13 root (1 to 5 minutes)")
[[ -d $KAFKA_HOME ]] || left+=("Kafka (under a minute)")
((${#left[@]} == 0)) || say "to be fetched, once:$(printf ' %s,' "${left[@]}") then 5 steps"

need_servers
inside python3 -m deploy.demo "$@"
