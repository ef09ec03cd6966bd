#: demo [--once] [--json FILE] [--seed N]    the whole path at work, with sums compared at the end
#:
#: Builds the release, starts Kafka, MySQL, Redis and both programs, sends 2,000 signed Stripe events with duplicates,
#: forgeries, stale ones and disorder, waits until all are applied and shows what became of them. Stays up until Ctrl-C;
#: with --once it stops everything and exits 0 only when every check holds. --json writes the figures, --seed repeats a run.

need_servers
inside python3 -m deploy.demo "$@"
