clean 0: dtrace: cleaning rate reduced to 5000 hz
status 0: dtrace: status rate reduced to 1000 hz
1clean 1: dtrace: cleaning rate reduced to 5000 hz
status 1: dtrace: status rate reduced to 1000 hz
1clean 1ns: dtrace: cleaning rate reduced to 5000 hz
status 1ns: dtrace: status rate reduced to 1000 hz
1status 200us: dtrace: status rate reduced to 1000 hz
1clean 199999: dtrace: cleaning rate reduced to 5000 hz
status 199999: dtrace: status rate reduced to 1000 hz
11status 999us: dtrace: status rate reduced to 1000 hz
111clean 0hz: dtrace: cleaning rate reduced to 5000 hz
status 0hz: dtrace: status rate reduced to 1000 hz
1status 5000hz: dtrace: status rate reduced to 1000 hz
1clean 5001hz: dtrace: cleaning rate reduced to 5000 hz
status 5001hz: dtrace: status rate reduced to 1000 hz
11status 11s: dtrace: status rate increased to once every 10 seconds
1status 60s: dtrace: status rate increased to once every 10 seconds
1clean 61s: dtrace: cleaning rate increased to once every 60 seconds
status 61s: dtrace: status rate increased to once every 10 seconds
1status 1m: dtrace: status rate increased to once every 10 seconds
1clean 2MIN: dtrace: cleaning rate increased to once every 60 seconds
status 2MIN: dtrace: status rate increased to once every 10 seconds
1clean 1h: dtrace: cleaning rate increased to once every 60 seconds
status 1h: dtrace: status rate increased to once every 10 seconds
1clean 1D: dtrace: cleaning rate increased to once every 60 seconds
status 1D: dtrace: status rate increased to once every 10 seconds
111clean 1usec: dtrace: cleaning rate reduced to 5000 hz
status 1usec: dtrace: status rate reduced to 1000 hz
1
$ dtrace -xswitchrate=x -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
status 1
$ dtrace -xswitchrate=1x -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
status 1
$ dtrace -xswitchrate=1e3 -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
status 1
$ dtrace -xswitchrate=-1 -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
status 1
$ dtrace -xswitchrate= -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
status 1
$ dtrace -xswitchrate=99999999999999999999 -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
status 1
$ dtrace -xswitchrate=1weeks -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
status 1
$ dtrace -xswitchrate=999999999999d -n BEGIN
! dtrace: failed to set -x switchrate: Invalid value for specified option
status 1
begin
ticks
2000
emptied often
