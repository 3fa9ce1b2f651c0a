strings
printf
expressions
variables
statements
clauses
faults
