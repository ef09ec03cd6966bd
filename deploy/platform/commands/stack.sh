#: stack up [--fresh] | down | status    Kafka, MySQL and Redis in the background, for work by hand
#:
#: Addresses are printed by `up` and `status`; loopback only. Data lies in build/stack and is kept from one `up` to the
#: next, unless `--fresh` throws it away. `down` ends what `up` started, by process id. `status` exits 3 when nothing runs.

need_servers
inside python3 -m deploy.stack "$@"
