== order
BEGIN
at-begin 40
every 40
every 40
every 40
at-end 40
END

== exit in a walk
1

status 3
== exit in BEGIN
0

               40
== a small buffer
1
40 again
1 nothing
40 task
== a command

                1
== a fault
dtrace: error in dt_clause_0 for probe ID N (iter:vmlinux:task:at-begin): invalid address (0x0)
40 40

== more walks than there is time for
some are counted as not made
