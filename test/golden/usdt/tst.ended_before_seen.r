
fresh 1

       COUNT  CPU CLAUSE           CAUSE
           1    - fresh            probe set after its file was mapped (by N ms at most)
