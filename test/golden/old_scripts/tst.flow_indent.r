CPU FUNCTION                                 
 => lseek                                                12345
 <= lseek                                           9

