[D_INT_DIGIT] line 1: octal constant 0719 contains invalid digit 9
  1 | BEGIN { x = 0719; }
    |                ^
