[D_SYNTAX] line 1: syntax error near "b"
  1 | BEGIN { trace("a" "b"); }
    |                   ^~~
