begins at 0
uptime
one beginning
goes on

