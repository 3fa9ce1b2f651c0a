3412 78563412 f0debc9a78563412
1234 12345678 123456789abcdef0
8 1
192.168.10.1 192.168.10.1
fe80::1:0 fe80::1:0
127.0.0.1 ::ffff:127.0.0.1
127.0.0.1 ::127.0.0.1 ::127.0.0.1
::1 ::1
::
0a:1b:2c:3d:4e:5f
fault 3

-- @@stderr --
dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): illegal operation
