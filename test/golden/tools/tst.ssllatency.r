ok: client: writes
ok: client: reads
ok: server: writes
ok: server: reads, of which one is the end
ok: client: the time of the handshake, with the server's delay
ok: server: the handshake is what it computes
ok: all have percentiles
ok: a handshake that fails
ok: a socket that does not block: calls that do not wait
ok: its bytes, and nothing of the server
ok: -m
ok: distributions: ten writes
ok: distributions: of 1000 bytes
