[D_CHR_OFLOW] line 1: character constant is too long: it may hold 8 bytes at most
  1 | BEGIN { trace('123456789'); }
    |               ^~~~~~~~~~~
