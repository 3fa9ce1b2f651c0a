40 probes listed
new client
28 bytes for program 12345678 version 3 procedure 7 type 0 serial 99 status 0
