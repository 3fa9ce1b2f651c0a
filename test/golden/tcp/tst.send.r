status 0
answered, closed IPv4: state-last-ack 1
answered, closed IPv4: state-syn-received 1
answered, closed IPv6: state-last-ack 1
answered, closed IPv6: state-syn-received 1
opened, closed IPv4: state-fin-wait-1 1
opened, closed IPv4: state-syn-sent 1
opened, closed IPv6: state-fin-wait-1 1
opened, closed IPv6: state-syn-sent 1
to the client IPv4: 500 bytes
to the client IPv6: 500 bytes
to the server IPv4: 100000 bytes
to the server IPv6: 100000 bytes
wrong 0
