[D_PDESC_INVAL] line 1: invalid probe description "pid$nosuch:::": Undefined macro variable in probe description
  1 | pid$nosuch::: { }
    | ^~~~~~~~~~~~~
