[D_PDESC_INVAL] line 1: invalid probe description "a:b:c:d:e": Overspecified probe description
  1 | a:b:c:d:e { }
    | ^~~~~~~~~
