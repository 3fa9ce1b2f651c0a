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
           1    - libm.so.6        probe set after its file was mapped (by N ms at most)
