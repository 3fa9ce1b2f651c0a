client:
WRITE 12
the question
READ 9
an answer
WRITE 5
ab
[2 of 5 bytes]
WRITE 20000
X
[16384 of 20000 bytes]
READ 3
bye
server:
READ 12
the question
WRITE 9
an answer
READ 5
ab
[2 of 5 bytes]
READ 16384
X
READ 3616
X
WRITE 3
bye
-x, -n:
WRITE 12
READ 9
WRITE 5
WRITE 20000
[16384 of 20000 bytes]
READ 3
ok: -x: bytes
ok: -n
