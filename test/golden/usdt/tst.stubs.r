== pie
__dtrace_dtstubs___pointed pointed 9 1
middle last 8 1
one one 55
perhaps maybe 10 1
tail last 7 1
two -1 2 -3 4 5 6 -7 8 10
two two 55
two two again -55
== fixed
__dtrace_dtstubs___pointed pointed 9 1
middle last 8 1
one one 55
perhaps maybe 10 1
tail last 7 1
two -1 2 -3 4 5 6 -7 8 10
two two 55
two two again -55
== static
__dtrace_dtstubs___pointed pointed 9 1
middle last 8 1
one one 55
perhaps maybe 10 1
tail last 7 1
two -1 2 -3 4 5 6 -7 8 10
two two 55
two two again -55
== narrow
__dtrace_dtstubs___pointed pointed 9 1
middle last 8 1
one one 55
perhaps maybe 10 1
tail last 7 1
two -1 2 -3 4 5 6 -7 8 10
two two 55
two two again -55
