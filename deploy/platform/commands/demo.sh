#: demo [--example NAME [--write DIR]] [--once] [--json FILE] [--seed N]    the whole path at work, sums compared at the end
#:
#: Builds the release, starts Kafka, MySQL, Redis and both programs, sends 2,000 signed Stripe events with duplicates,
#: forgeries, stale ones and disorder, waits until all are applied and shows what became of them. Stays up until Ctrl-C;
#: with --once it stops everything and exits 0 only when every check holds. --json writes the figures, --seed repeats a run.
#: Says what is left, and how many seconds each step took. On an empty machine with two cores it takes about five minutes.
#:
#: --example NAME plays a whole system to start from instead, under faults, and compares (--count N: orders, customers, payments or clicks):
#:   orders           Alipay, WeChat Pay, UnionPay and Stripe pay one table of orders; a topic and a shipping service are told
#:   subscriptions    Stripe's subscriptions as tables; credits for paid invoices, mails for payments that failed
#:   marketplace      three sellers with accounts of their own at Stripe and Adyen, one with two endpoints; batches, balances, messages in order
#:   polling          Stripe's list of events keeps customers and subscriptions as tables; no webhook is needed
#:   charging         200,000 clicks are charged by commands, two merchants are hot, callers retry: a table of latencies, every ledger compared
#:   --write DIR      writes its files into a new folder, ready to be yours, and says what to do next. Starts nothing
#: SLUICE_BIN names a folder of programs that are built already.

example='' target=''
for ((at = 1; at < $#; at++)); do
    next=$((at + 1))
    case ${!at} in
        --example) example=${!next} ;;
        --write) target=${!next} ;;
    esac
done
[[ -z $target ]] || exec bash "$SLUICE_TREE/deploy/examples/write.sh" "$example" "$target"

left=()
[[ -d $MYSQL_HOME ]] || left+=("MySQL (a minute)")
host_is_platform || [[ -d $PLATFORM_ROOT ]] || left+=("a Debian 13 root (1 to 5 minutes)")
[[ -d $KAFKA_HOME ]] || left+=("Kafka (under a minute)")
((${#left[@]} == 0)) || say "to be fetched, once:$(printf ' %s,' "${left[@]}") then 5 steps"

need_servers
inside python3 -m deploy.demo "$@"
