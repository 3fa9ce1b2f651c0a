before: 0
one tracer: 5
two tracers: 5
one was killed: 5
the other counted 15
after: 0
a process to come: 1
after its tracer was killed: 0
the program goes on: fired
