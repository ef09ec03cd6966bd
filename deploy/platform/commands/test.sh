#: test [--unit] [--sanitizers] [--coverage] [--chart] [--integration [-k EXPR]]    everything that CI runs, or a part of it
#:
#: In order: format, build dev, unit tests, the lane protocol searched through (tests/model), clang-tidy, build release,
#: integration tests on real servers, the instructions of each step of a webhook against their budget (tests/stages), container
#: images made and entered, releases made and verified (tests/release), build fuzz, each fuzz target for five seconds, the
#: chaos harness's own tests, two runs of `./run chaos` and a storm with fresh seeds, style, the chart rendered without a
#: cluster (tests/chart; --chart: only that), the simulation of its autoscaling (tests/sim), alerts and dashboards
#: (tests/alerts), one incident ended by its runbook (./run walk has five), the signed requests' second judge, the receivers of
#: docs/receivers.md, the clients of docs/clients.md, the benchmark's own tests, the demonstration. Unit tests under the
#: address and undefined-behaviour sanitizers only with --sanitizers: they would double what CI has to compile. --coverage, for
#: the same reason not part of the rest: which lines and branches of common/webhook its unit tests reach, by file, by clang's
#: own count; below 95 % of the lines or 90 % of the branches it fails. The chart on a real cluster is ./run cluster. Whole
#: output in build/test/*.log; of a stage that fails the end is shown: of a chaos run the seed to repeat it with. The first
#: time, servers, helm and schemathesis are made beside the first stages. Exit 1 when any stage fails or no test was executed.
#: The last line is the total: `N passed, N failed`.

test_a_part() {
    make_servers
    make_or_miss_tools
    make_or_miss_python
    inside python3 -m deploy.platform.testing "$@"
}

test_everything() {
    [[ -d $MYSQL_HOME ]] || require_mmdebstrap
    beside servers make_servers
    need_platform
    beside tools make_or_miss_tools
    beside python make_or_miss_python
    inside python3 -m deploy.platform.testing
}

if (($#)); then attended test_a_part "$@"; else attended test_everything; fi
