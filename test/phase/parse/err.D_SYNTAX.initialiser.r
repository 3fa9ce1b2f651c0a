[D_SYNTAX] line 1: syntax error near "="
  1 | int x = 3;
    |       ^
