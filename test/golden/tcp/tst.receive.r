status 0
answered IPv4: 1
answered IPv6: 1
by the client IPv4: 500 bytes
by the client IPv6: 500 bytes
by the server IPv4: 100000 bytes
by the server IPv6: 100000 bytes
closed IPv4: 1
closed IPv6: 1
closed in answer IPv4: 1
closed in answer IPv6: 1
opened IPv4: 1
opened IPv6: 1
wrong 0, received before they are sent 0
