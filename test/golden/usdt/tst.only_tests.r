== -O2
only 0 both 0 solaris 0
both
only
sol-aris
only 100 both 0 solaris 100

only 100 both 100 solaris 100
both 1 1
both 0 99

== -O0 -g
only 0 both 0 solaris 0
both
only
sol-aris
only 100 both 0 solaris 100

only 100 both 100 solaris 100
both 1 1
both 0 99

== -O2 -ffunction-sections -Wl,--gc-sections
only 0 both 0 solaris 0
both
only
sol-aris
only 100 both 0 solaris 100

only 100 both 100 solaris 100
both 1 1
both 0 99

== the function that asks
wants_only only
wants_only only
$ dtrace -qn shop$target:::only { } -c ./twice
11

status 0
