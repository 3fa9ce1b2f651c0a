
  rawtp                                                             7
  sdt                                                               7
