ok: ten lines went there and back
ok: client: ten writes of 1000 bytes, two of which may be one
ok: server: as many bytes read and written
ok: client: as many read
ok: handshakes of both
ok: wget: one write, a handshake, and at least the page read
