sysread 48, syswrite 143, readch 423, writech 1516
sysread 48, syswrite 143, readch 423, writech 1516
at once 1, 1, 64, 64

