[D_CHR_NULL] line 1: empty character constant
  1 | BEGIN { trace(''); }
    |               ^~
