[D_SYNTAX] line 2: actions expected after predicate
  2 | /pid == 1/
    |  ^~~~~~~~
