[D_PRAGERR] line 1: #error: not here
  1 | #error   not   here
    |  ^~~~~~~~~~~~~~~~~~
