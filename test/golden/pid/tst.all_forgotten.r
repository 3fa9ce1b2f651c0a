== pid*
some 100 -2 one of q1
some 200 -2 one of q2
      4 3 -2 one of q0
some dtrace: error: illegal operation
== -x follow
3 -2 q0 1
3 1 q0 1
3 2 q0 1
3 3 q0 1
3 4 q0 1
3 5 q0 1
40 -2 q1 1
50 -2 q2 2
