#: chaos [--storm | --lanes | --poller | --commands] [--seed S] [--seconds N] [--runs N] [--within SECONDS] [--plan] …    faults by seed, then one equality
#:
#: Seed S makes the plan: workload, lives and deaths of our processes, faults of Redis, database, Kafka, wires, statements,
#: peers and clocks; in some plans with three nodes of Kafka a log loses its end. It is printed first. For N seconds (40) a
#: provider that retries like Stripe sends events through it; then everything heals and drains, and what the provider was
#: told, what Kafka holds and what the ledger and the DLQ say must be equal.
#: Exit 0: equal; 1: the first difference and the seed are printed, and logs stay in build/chaos. Uses build/dev/bin.
#:
#: --storm        a plan of crashes instead: every life ends at a failpoint, servers are killed and start again at once, and
#:                nothing freezes or breaks in between. About a hundred crashes a minute; 300 seconds unless --seconds says otherwise
#: --lanes        random histories of objects in trouble instead: events that defer, fail, die and become cases by script, consumers of
#:                both roles that are killed, frozen and joined all the time, operators. Each object's effects must be there once
#:                and in order, and nothing may be left waiting. Seconds each, --abreast of them at a time (4), on servers that they share;
#:                --go-on does not end at the first that differs
#: --rollouts     new configurations while events flow, in mixed plans: other effects, a source that comes and is renamed
#: --poller       mixed plans with the account's list of events beside its webhooks: an event comes by one way or by both. Two pollers
#:                read the list, are killed, stopped and frozen, and the list limits, fails, is slow, breaks off or has an odd event. Its
#:                clock runs ten times as fast as ours. What was listed must be there once, and no checkpoint ahead of Kafka
#: --commands     callers of sluice-command instead: they give up, call again through any process and ask, for small and hot accounts and
#:                for calls with a record in MySQL or Redis, whose service fails in every way. Both roles are killed and frozen past the
#:                lease, owners of calls are away for longer, servers are killed and paused, Redis fails over. Each effect must be there
#:                once, and each answer the first response or the truth
#: --runs N       so many plans, fresh seeds unless --seed names the first; ends at the first that differs
#: --within S     begins no run later than S seconds from now
#: --database D   mysql or mariadb; --nodes 1 or 3 of Kafka: in place of what the seed says
#: --plan         only prints the plan; --keep keeps the logs of good runs; --record FILE in place of tests/chaos/record.tsv

need_servers
inside python3 -m tests.chaos "$@"
