6 lseek in lseek 1
6 lseek in lseek 2

