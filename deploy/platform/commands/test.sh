#: test [--unit] [--sanitizers] [--integration [-k EXPR]]    everything that CI runs, or a part of it
#:
#: In order: format, build dev, unit tests, build release, integration tests on real servers, build fuzz, each fuzz target
#: for five seconds, the chaos harness's own tests, style, the signed requests' second judge, the benchmark's own tests,
#: the demonstration. `./run chaos` is not part of it yet. Unit tests under the address and undefined-behaviour
#: sanitizers only with --sanitizers: they would double what CI has to compile. Whole output in build/test/*.log; of a
#: stage that fails the end is shown.
#: Exit 1 when any stage fails or no test was executed. The last line is the total: `N passed, N failed`.

need_servers
inside python3 -m deploy.platform.testing "$@"
