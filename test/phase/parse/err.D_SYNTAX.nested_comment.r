[D_SYNTAX] line 1: "/*" inside a comment
  1 | /* one /* two */
    |        ^~
