[D_CHR_NL] line 1: newline in character constant
  1 | BEGIN { trace('a
    |               ^~
