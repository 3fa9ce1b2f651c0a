== 0
clean 0: dtrace: cleaning rate reduced to 5000 hz
status 0: dtrace: status rate reduced to 1000 hz
1
== 1
clean 1: dtrace: cleaning rate reduced to 5000 hz
status 1: dtrace: status rate reduced to 1000 hz
1
== 1ns
clean 1ns: dtrace: cleaning rate reduced to 5000 hz
status 1ns: dtrace: status rate reduced to 1000 hz
1
== 200us
status 200us: dtrace: status rate reduced to 1000 hz
1
== 199999
clean 199999: dtrace: cleaning rate reduced to 5000 hz
status 199999: dtrace: status rate reduced to 1000 hz
1
== 1ms
1
== 999us
status 999us: dtrace: status rate reduced to 1000 hz
1
== 1hz
1
== 100hz
1
== 0hz
clean 0hz: dtrace: cleaning rate reduced to 5000 hz
status 0hz: dtrace: status rate reduced to 1000 hz
1
== 5000hz
status 5000hz: dtrace: status rate reduced to 1000 hz
1
== 5001hz
clean 5001hz: dtrace: cleaning rate reduced to 5000 hz
status 5001hz: dtrace: status rate reduced to 1000 hz
1
== 10s
1
== 11s
status 11s: dtrace: status rate increased to once every 10 seconds
1
== 60s
status 60s: dtrace: status rate increased to once every 10 seconds
1
== 61s
clean 61s: dtrace: cleaning rate increased to once every 60 seconds
status 61s: dtrace: status rate increased to once every 10 seconds
1
== 1m
status 1m: dtrace: status rate increased to once every 10 seconds
1
== 2MIN
clean 2MIN: dtrace: cleaning rate increased to once every 60 seconds
status 2MIN: dtrace: status rate increased to once every 10 seconds
1
== 1h
clean 1h: dtrace: cleaning rate increased to once every 60 seconds
status 1h: dtrace: status rate increased to once every 10 seconds
1
== 1D
clean 1D: dtrace: cleaning rate increased to once every 60 seconds
status 1D: dtrace: status rate increased to once every 10 seconds
1
== 1sec
1
== 1Sec
1
== 1usec
clean 1usec: dtrace: cleaning rate reduced to 5000 hz
status 1usec: dtrace: status rate reduced to 1000 hz
1
== x
$ dtrace -xswitchrate=x -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
!   note: switchrate takes a time or a rate, as in 10ms or 100hz
status 1
== 1x
$ dtrace -xswitchrate=1x -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
!   note: switchrate takes a time or a rate, as in 10ms or 100hz
status 1
== 1e3
$ dtrace -xswitchrate=1e3 -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
!   note: switchrate takes a time or a rate, as in 10ms or 100hz
status 1
== -1
$ dtrace -xswitchrate=-1 -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
!   note: switchrate takes a time or a rate, as in 10ms or 100hz
status 1
== 
$ dtrace -xswitchrate= -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
!   note: switchrate takes a time or a rate, as in 10ms or 100hz
status 1
== 99999999999999999999
$ dtrace -xswitchrate=99999999999999999999 -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
!   note: switchrate takes a time or a rate, as in 10ms or 100hz
status 1
== 1weeks
$ dtrace -xswitchrate=1weeks -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
!   note: switchrate takes a time or a rate, as in 10ms or 100hz
status 1
== 999999999999d
$ dtrace -xswitchrate=999999999999d -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
!   note: switchrate takes a time or a rate, as in 10ms or 100hz
status 1
== records and keys
begin
ticks
2000
emptied often
