
fresh 1

       COUNT  CPU CLAUSE           CAUSE
     unknown    - fresh            firings before a probe was set in a file that was mapped already (1 probe, by N ms at most)
