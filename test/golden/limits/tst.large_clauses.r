strings
40 strjoin
40 json
40 of all sorts
300 toupper
printf
60 numbers
60 strings
expressions
200 sums
99 conditions
50 strjoin
variables
60 elements
100 of a thread
60 aggregations
300 of a clause
statements
2000
60 if
300 in a branch
clauses
300
300 with strings
300 with predicates
faults
a late part
within 300 clauses
