== the target ends before its child
100

== the default

== by a pragma
100

== the target is killed
500

== dtrace is killed
a breakpoint in the child: 1
left in the child: 0
