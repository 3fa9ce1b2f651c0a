8192 bytes at 0 of /dev/ram0 (ram) written by a program
8192 bytes at 16 of /dev/ram0 (ram) written by a program
8192 bytes at 32 of /dev/ram0 (ram) written by a program
3 done, 0 errors

