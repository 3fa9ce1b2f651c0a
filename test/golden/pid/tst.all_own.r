sum 250008
88890
of dtallocates: calls are right
of dtallocates: returns are right
programs 4..
dtallocates`allocates
