calls:describe:entry word 99 2 3 4 5 6 7
describe:return 126

  describe                                                        100
  twice                                                           100
  describe arg1                                                  4950
  twice arg0                                                     4950
  values that are twice the argument                              100
