[D_MACRO_UNDEF] line 1: macro argument $1 is not defined
  1 | BEGIN { trace($1); }
    |               ^~
