CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN           1  65    -2                  -3  abc                              
  0      1                           :BEGIN  4294967295 200 65535 18446744073709551615                   16
  0      1                           :BEGIN 
             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 03 00 00 00 68 00 00 00                          ....h...
  h                                
             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 00 01 00 00                                      ....

  0      1                           :BEGIN 
             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 00 00 00 00 00 00 00 00 48 69 00 00 00 00 00 00  ........Hi......
        10: 00 00 00 00                                      ....

  0      1                           :BEGIN 
             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 00 00 00 00 00 00 00 00 00 00                    ..........

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 00 00 00                                         ...

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 00 00 00                                         ...

  0      1                           :BEGIN 
  0      1                           :BEGIN one row  z                                
  0      1                           :BEGIN   then                                       5
  0      1                           :BEGIN 
        7                1
7:1
  0      1                           :BEGIN 

        1                2
