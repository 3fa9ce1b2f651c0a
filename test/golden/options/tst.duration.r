in time status 0
in time status 0
in time status 0

exit 3
ticks 10..
by pragma 10..

$ dtrace -T 0 -n BEGIN
! dtrace: failed to set -x duration: Invalid value for specified option
!   note: duration takes a time, as in 10s or 5m
status 1
$ dtrace -T 0s -n BEGIN
! dtrace: failed to set -x duration: Invalid value for specified option
!   note: duration takes a time, as in 10s or 5m
status 1
$ dtrace -T 10hz -n BEGIN
! dtrace: failed to set -x duration: Invalid value for specified option
!   note: duration takes a time, as in 10s or 5m
status 1
$ dtrace -T x -n BEGIN
! dtrace: failed to set -x duration: Invalid value for specified option
!   note: duration takes a time, as in 10s or 5m
status 1
$ dtrace -T  -n BEGIN
! dtrace: failed to set -x duration: Invalid value for specified option
!   note: duration takes a time, as in 10s or 5m
status 1
$ dtrace -T -1 -n BEGIN
! dtrace: failed to set -x duration: Invalid value for specified option
!   note: duration takes a time, as in 10s or 5m
status 1
$ dtrace -T 1w -n BEGIN
! dtrace: failed to set -x duration: Invalid value for specified option
!   note: duration takes a time, as in 10s or 5m
status 1
