ok: 200 blocks of 1000 bytes
ok: and none of those that were given back
ok: no stack is cut
