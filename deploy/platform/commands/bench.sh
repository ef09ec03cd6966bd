#: bench [PART…] [--quick] [--docs]    what a webhook and an event cost, against floors and peers
#:
#: ingress    CPU per webhook of sluice-ingress, of the same work with nothing around it (the floor: plain, gathering) and
#:            of two Go services: fresh, duplicate, forged; 12 partitions and 1; every 200 is counted in Kafka
#: counts     instructions (callgrind), system calls (strace) and heap allocations per accepted webhook
#: quota      1 partition, server and load generator inside a CPU quota of half of what they use, against the same without
#: latency    what is added to a bare client's SET NX and produce at half of capacity; own time under 1 ms
#: flood      p99 of genuine webhooks while forged ones come as fast as one sender can, from one address or from a thousand
#: consumer   events per second against bare batched SQL, statements by hand and one transaction per event; duplicates
#: lanes      what the look at lanes costs events of healthy objects, against the same build without it
#: others     p99 delay of healthy objects while others' effects fail, meet a locked row or an ALTER TABLE, or never end
#: telemetry  CPU per webhook with metrics, logs and traces of 1 %, against the same build with none of them
#: relay      messages to a topic and to a URL, against a bare producer and a bare keep-alive client; what each costs the database
#: destinations     p99 delay of one destination's messages while another one hangs
#: send       CPU and instructions of an event whose effects send nothing, beside another type's that does, and with a message each
#: poll       events per second of the poller against a bare client's page loop; a month of a million events: resident set, a restart
#: commands   sluice-command beside a service in Go; one account that all charge, row by row and hot; p99 of small accounts beside it
#: idle       resident memory of each of 10,000 connections that do nothing; of those over TLS and of those that hold a request up
#: handshakes CPU time of a TLS handshake beside nginx's, with ML-KEM and without
#: probes     CPU time of the ingress for hostile requests against what their sender needed to send them
#: check      one verdict of the signature engine against a check by hand: the floor's of Stripe, OpenSSL's verify for RSA
#: constant-time    Welch's t of cycles per comparison with a secret, for two kinds of input; a planted early exit must be seen
#: memory     resident set over an hour (--seconds) of load with faults: Redis and broker go, sources change, clients misbehave.
#:            Only when it is named
#: backlog    a relay that finds 1,000,000 messages: the longest statement, the most rows that one looks at. Only when it is named
#: sweep      how fast keys of commands that expired are deleted: 250,000, 500,000 and 1,000,000. Only when it is named
#: searches   `sluicectl callback list` among 50,000,000 callbacks (some 20 minutes to make them). Only when it is named
#: none       measures nothing: with --docs, writes the pages anew
#:
#: Without a PART: all but memory, backlog, sweep and searches, an hour; with --quick some minutes, for sizes only. --rounds N, --seconds S (of each
#: measurement) and --targets sluice,floor-plain,floor-gathering,go-ordinary,go-strongest choose. Rounds are interleaved;
#: medians and the spread are shown. Figures stay in build/bench/results.json, or --json FILE; --docs writes their
#: sections of docs/bench.md and docs/bench.svg. Ratios count, times are noise on shared machines. What could not be run is said at the end.
#: Exit 1 when a server answers what it must not, or Kafka or the database does not hold what was accepted.
#:
#:   ./run bench ingress --quick
#:   ./run bench ingress --targets sluice,floor-plain,floor-gathering --rounds 7
#:   ./run bench --docs

need_servers
inside python3 -m tests.bench "$@"
