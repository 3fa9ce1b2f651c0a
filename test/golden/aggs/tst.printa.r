
        2  y                                                                 1
        1  x                                                                 3

        2  y                                                                 1                7
        1  x                                                                 3                0
2 y 1
1 x 3
[    2|y    |    1|7    |7]
[    1|x    |    3|0    |0]
no conversions


  -1    -1       -1               -1                1
-1 -1 -1 -1 1
ff ffff ffffffff ffffffffffffffff 1
255 -1 4294967295 -1 1 1 1 1
h:
           value  ------------- Distribution ------------- count    
               2 |                                         0        
               4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        
               8 |                                         0        



             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 01 00 00 00 71 00 00 00                          ....q...
                2

  GREEN                                                             1

               16                1

  dtrace                                                            1

  vmlinux`vfs_read                                    vmlinux                                             0x1                                                               1

  unprinted                                                         1
                1
