== two commands
begin
target calls 300
target 300
another 500
sum 169600
status 0
dtrace: pid COMMAND exited with status 3
dtrace: pid COMMAND exited with status 4
dtrace: pid COMMAND has exited
== grabbed_first
dtrace: pid COMMAND exited with status 6
dtrace: pid GRABBED has exited
target calls 70
another 30
target 70
sum 2850
grabbed 5
== command_first
dtrace: pid COMMAND exited with status 6
dtrace: pid GRABBED has exited
target calls 30
target 30
another 70
sum 2850
grabbed 5
