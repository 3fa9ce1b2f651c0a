status 0
receive IPv4 127.0.0.1 127.0.0.1 lo 1: 5
receive IPv6 ::1 ::1 lo 1: 3
receive ver 0 ihl 0 length 0 <null> <null> offset 0, 0 0: 3
receive ver 0 length 0 <null> <null>, 0 0: 5
receive ver 4 ihl 20 length 1265 UDP 127.0.0.1 offset 0, 1 1: 5
receive ver 6 length 1247 UDP ::1, 1 1: 3
send IPv4 127.0.0.1 127.0.0.1 lo 1: 5
send IPv6 ::1 ::1 lo 1: 3
send ver 0 ihl 0 length 0 <null> <null> offset 0, 0 0: 3
send ver 0 length 0 <null> <null>, 0 0: 5
send ver 4 ihl 20 length 1265 UDP 127.0.0.1 offset 0, 1 1: 5
send ver 6 length 1247 UDP ::1, 1 1: 3
wrong 0
