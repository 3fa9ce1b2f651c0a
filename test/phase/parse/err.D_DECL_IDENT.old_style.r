[D_DECL_IDENT] line 1: old-style declaration, or unknown type: a
  1 | int f(a, b);
    |       ^
