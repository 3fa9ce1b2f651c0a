[D_INT_OFLOW] line 1: integer constant 0x10000000000000000 overflows 64 bits
  1 | BEGIN { x = 0x10000000000000000; }
    |             ^~~~~~~~~~~~~~~~~~~
