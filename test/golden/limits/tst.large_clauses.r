== 40 strjoin
== 40 json
== 40 of all sorts
== 300 toupper
== 60 numbers
== 60 strings
== 200 sums
== 99 conditions
== 50 strjoin
== 60 elements
== 100 of a thread
== 60 aggregations
== 300 of a clause
== 300 updates
== 2000
== 60 if
== 300 in a branch
== 300
== 300 with strings
== 300 with predicates
== 400000 assignments
== 70000 variables
== a late part
== within 300 clauses
