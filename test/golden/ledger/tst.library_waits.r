== -c
     10 
     10 100
     10 nothing was lost
     10 ready
== -c, a link a probe
     10 
     10 100
     10 nothing was lost
     10 ready
== -p
     10 
     10 100
     10 nothing was lost
     10 ready
== -p, the tracer is stopped
the program has ended
ready
       COUNT  CPU CLAUSE           CAUSE
     unknown    - libm.so.6        firings before a probe was set in a file that was mapped already (1 probe, by N ms at most)
