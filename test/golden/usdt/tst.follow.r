== forked
in the target itself? 0: 3
in the target itself? 1: 10
13

== executed
in the target itself? 0: 13
13

== the default
in the target itself? 1: 10
10

