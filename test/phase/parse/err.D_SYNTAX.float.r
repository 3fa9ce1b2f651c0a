[D_SYNTAX] line 1: floating-point constants are not permitted
  1 | BEGIN { x = 2.5; }
    |             ^~~
