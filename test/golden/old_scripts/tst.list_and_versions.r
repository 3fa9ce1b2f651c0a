    1     dtrace                                                     BEGIN
PROVIDER FUNCTION NAME
syscall lseek entry
syscall lseek entry
syscall lseek return
status 0
1


status 0
1
