[D_PRAGMA_INVAL] line 1: invalid directive: #pragma D nosuch
  1 | #pragma D nosuch x
    |           ^~~~~~
