[D_SYNTAX] line 1: extra } in input stream
  1 | BEGIN { x = 1; } }
    |                  ^
