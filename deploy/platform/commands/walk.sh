#: walk [INCIDENT…]    five incidents, each found from its alert and ended by its runbook page as written
#:
#: secret           a provider signs with a new secret that nobody has told us
#: poison-effect    a deploy breaks one effect
#: read-only        the database refuses writes
#: broker           Kafka is gone
#: hot-object       one object has event after event
#:
#: Without a name all of them, two at a time. Each has ingress, consumers of both roles, Kafka, MySQL, Redis and a Prometheus
#: with the chart's rules, in which an hour is a minute. It waits for the alert, follows its runbook_url, types the page's commands into a
#: shell whose kubectl and helm speak for the processes, and ends when the alert has ended and each event is applied once and in
#: order. What rang, and when, is printed at the end. Uses build/dev/bin; logs stay in build/walk.

need_servers
inside python3 -m tests.walk "$@"
