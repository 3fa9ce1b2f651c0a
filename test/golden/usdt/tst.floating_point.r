1
-- one of them
1 3.25 0.500000 3.250000e+00 0.5 400a000000000000
2 -1e+300 0.000000 -1.000000e+300 1e-40 fe37e43c8800759c
3 1.5 2.500000 1.500000e+00 2.5 3ff8000000000000

-- other uses
3.25|0.5

  -1e+300                                             9.99995e-41                                                       1
  1.5                                                 2.5                                                               1
  3.25                                                0.5                                                               1
-- not for integers, and no arithmetic
D_PRINTF_ARG_TYPE
D_OP_INCOMPAT
D_PRINTF_ARG_TYPE
-- in a process that starts later

3ff8000000000000 4004000000000000 3
400a000000000000 3fe0000000000000 1
fe37e43c8800759c 37a16c2000000000 2
