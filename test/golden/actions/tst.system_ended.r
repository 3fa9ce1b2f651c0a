dtrace: error in dt_clause_0 for probe ID N (dtrace:::BEGIN): system(): the command was ended by signal 9 (Killed)
next

status 1
dtrace: error in dt_clause_0 for probe ID N (dtrace:::BEGIN): system(): the command was ended by signal 15 (Terminated)

status 1

status 0

status 3
