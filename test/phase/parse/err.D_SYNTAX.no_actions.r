[D_SYNTAX] line 1: predicate and/or actions expected after probe description
  1 | BEGIN
    | ^~~~~
