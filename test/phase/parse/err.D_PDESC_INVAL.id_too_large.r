[D_PDESC_INVAL] line 1: invalid probe description "4294967296": Probe identifier exceeds 32 bits
  1 | 4294967296 { }
    | ^~~~~~~~~~
