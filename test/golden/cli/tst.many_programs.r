a terminal: status 143
none: status 124, 0 bytes
