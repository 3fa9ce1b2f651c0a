ok: tcptop: both ends, both directions
ok: udptop: sent by a connected socket
ok: udptop: received by one that is not
ok: tcpretrans: SYNs
