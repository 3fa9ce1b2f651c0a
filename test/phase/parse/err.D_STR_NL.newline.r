[D_STR_NL] line 1: newline in string literal
  1 | BEGIN { trace("one
    |               ^~~~
