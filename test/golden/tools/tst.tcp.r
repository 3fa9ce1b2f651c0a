ok: tcpconnect: established
ok: tcpconnect: refused
ok: tcpconnect -x
ok: tcpaccept
ok: tcpstates: the states of the client
ok: tcpstates: 50 ms in one
ok: tcplife: bytes and time at the client
ok: tcplife: and at the server
ok: tcplife: the process
