[D_DECL_IDENT] line 1: a declarator may hold one identifier only: y follows x
  1 | int x y;
    |       ^
