data: 9000 bytes in 9 reads, at most 1000
written 9000

