[D_INT_OFLOW] line 1: integer constant 9223372036854775808 cannot be represented in any type
  1 | BEGIN { x = 9223372036854775808; }
    |             ^~~~~~~~~~~~~~~~~~~
