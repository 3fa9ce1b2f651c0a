status 0
client state-syn-sent -> state-established
client state-established -> state-fin-wait-1
client state-fin-wait-1 -> state-fin-wait-2
client state-fin-wait-2 -> state-closed
server state-syn-received -> state-established
server state-established -> state-close-wait
server state-close-wait -> state-last-ack
server state-last-ack -> state-closed
accept-established IPv4 127.0.0.1 127.0.0.1 state-established 5
accept-established IPv6 ::1 ::1 state-established 2
accept-refused IPv4 127.0.0.1 127.0.0.1 state-closed 3
connect-established IPv4 127.0.0.1 127.0.0.1 state-established 5
connect-established IPv6 ::1 ::1 state-established 2
connect-refused IPv4 127.0.0.1 127.0.0.1 state-closed 3
connect-request IPv4 127.0.0.1 127.0.0.1 state-syn-sent 8
connect-request IPv6 ::1 ::1 state-syn-sent 2
ends 20 active 20 local 20 same 20 ports 20 mine 7 mss 5 refused 3
