ok: tcptop: both ends, both directions
ok: udptop: sent by a connected socket
ok: udptop: received by one that is not
ok: udptop: both ends of what is sent by sockets that are not connected
ok: udptop: both ends of what they receive, or none
ok: tcpretrans: SYNs
