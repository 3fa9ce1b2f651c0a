zero  nested
not b
i 1
c 3

  a                                                                 1
