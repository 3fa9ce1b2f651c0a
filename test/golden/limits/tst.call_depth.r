== strings
rl rl rl rl rl 105 10: 0

== numbers

  sum                                                 3                                                                 0               40
  ENTRY                                               /one                                                              1             9030
