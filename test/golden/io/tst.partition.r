start: 65536 bytes at 2048, written 1 1 1 1
done: 65536 bytes at 2048, written 1 1 1 1
start: 4096 bytes at 2072, read 1 1 1 1
done: 4096 bytes at 2072, read 1 1 1 1
start: 4096 bytes at 2080, read 1 1 1 1
done: 4096 bytes at 2080, read 1 1 1 1
start: 65536 bytes at 2176, written 1 1 1 1
done: 65536 bytes at 2176, written, error 1 1 1 1
65536 undone
as dd says
