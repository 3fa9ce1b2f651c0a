gcc -O0 -fPIE -pie
before: sold 0 refunded 0 damaged 0
enabled: sold 1 refunded 0 damaged 0
again: sold 1 refunded 0 damaged 0
all threads: threads 400 damaged 0
not described: child 0 damaged 0
after: sold 0 refunded 0 damaged 0
ready

fired 2, last 3

== processes
before: first: sold 0 refunded 0 damaged 0
before: second: sold 0 refunded 0 damaged 0
the first's: first: sold 1 refunded 0 damaged 0
the first's: second: sold 0 refunded 0 damaged 0
all: first: sold 1 refunded 0 damaged 0
all: second: sold 1 refunded 0 damaged 0
a child: child 1 damaged 0
started later: sold 1 refunded 0 damaged 0
killed: sold 0 refunded 0 damaged 0
== two tracers, a program that is met while tracing runs, and both probes
both: sold 1 refunded 1 damaged 0
one left: sold 1 refunded 0 damaged 0
fresh: sold 1 refunded 0 damaged 0
after: sold 0 refunded 0 damaged 0
== a variable that cannot be written to
enabled: read-only 0
again: read-only 0
ready
fired 0, last 0
unanswered 2
