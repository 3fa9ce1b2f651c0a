[D_SYNTAX] line 2: closing ) expected in predicate before /
  2 | /(pid == 1/
    |           ^
