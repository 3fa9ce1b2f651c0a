CALL       ERRNO  COUNT
lseek      9      4

