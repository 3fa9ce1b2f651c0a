== -xspecsize=0
$ dtrace -xcpu=0 -q -xspecsize=0 -n BEGIN{self->s = speculation(); printf("%d ", self->s)} BEGIN{speculate(self->s); printf("speculative")} BEGIN{commit(self->s)} BEGIN{exit(0)}
1 
! dtrace: 1 speculative drop
status 0
== -xaggsize=0
$ dtrace -xcpu=0 -q -xaggsize=0 -n BEGIN{@[1] = count(); @[2] = count(); exit(0)}

        1                1
        2                1
status 0
== -xdynvarsize=0
$ dtrace -xcpu=0 -q -xdynvarsize=0 -n BEGIN{a[1] = 2; self->x[2] = 3; printf("%d %d", a[1], self->x[2]); exit(0)}
2 3
status 0
== -xbufsize=0
$ dtrace -xcpu=0 -q -xbufsize=0 -n BEGIN{printf("%s", strjoin("a", "b")); exit(0)}
! dtrace: failed to set -x bufsize: Invalid value for specified option
!   note: bufsize takes a size above 0, as in 64k or 4m
status 1
== -xbufpolicy=ring
$ dtrace -xcpu=0 -q -xbufpolicy=ring -xbufsize=0 -n BEGIN{printf("%s", strjoin("a", "b"));} BEGIN{exit(0)}
! dtrace: failed to set -x bufsize: Invalid value for specified option
!   note: bufsize takes a size above 0, as in 64k or 4m
status 1
== -xbufpolicy=fill
$ dtrace -xcpu=0 -q -xbufpolicy=fill -xbufsize=0 -n BEGIN{printf("%s", strjoin("a", "b"));} BEGIN{exit(0)}
! dtrace: failed to set -x bufsize: Invalid value for specified option
!   note: bufsize takes a size above 0, as in 64k or 4m
status 1
== -xscratchsize=0
$ dtrace -xcpu=0 -q -xscratchsize=0 -n BEGIN{this->p = (char *)alloca(100); this->p[0] = 65; printf("%c", this->p[0]); exit(0)}
! dtrace: invalid probe specifier: in action list: alloca( ) size 100 is larger than scratchsize 0
!   1 | BEGIN{this->p = (char *)alloca(100); this->p[0] = 65; printf("%c", this->p[0]); exit(0)}
!     |                         ^~~~~~~~~~~
status 1
== -xprintsize=0
$ dtrace -xcpu=0 -q -xprintsize=0 -n BEGIN{print(curthread->pid > 0); exit(0)}
int 0x1
status 0
== -xspecsize=1
$ dtrace -xcpu=0 -q -xspecsize=1 -n BEGIN{self->s = speculation(); printf("%d ", self->s)} BEGIN{speculate(self->s); printf("speculative")} BEGIN{commit(self->s)} BEGIN{exit(0)}
1 
! dtrace: 1 speculative drop
status 0
== -xaggsize=1
$ dtrace -xcpu=0 -q -xaggsize=1 -n BEGIN{@[1] = count(); @[2] = count(); exit(0)}

        1                1
        2                1
status 0
== -xdynvarsize=1
$ dtrace -xcpu=0 -q -xdynvarsize=1 -n BEGIN{a[1] = 2; self->x[2] = 3; printf("%d %d", a[1], self->x[2]); exit(0)}
2 3
status 0
== -xbufsize=1
$ dtrace -xcpu=0 -q -xbufsize=1 -n BEGIN{printf("%s", strjoin("a", "b")); exit(0)}
ab
status 0
== -xbufpolicy=ring
$ dtrace -xcpu=0 -q -xbufpolicy=ring -xbufsize=1 -n BEGIN{printf("%s", strjoin("a", "b"));} BEGIN{exit(0)}
ab
status 0
== -xbufpolicy=fill
$ dtrace -xcpu=0 -q -xbufpolicy=fill -xbufsize=1 -n BEGIN{printf("%s", strjoin("a", "b"));} BEGIN{exit(0)}
ab
status 0
== -xscratchsize=1
$ dtrace -xcpu=0 -q -xscratchsize=1 -n BEGIN{this->p = (char *)alloca(100); this->p[0] = 65; printf("%c", this->p[0]); exit(0)}
! dtrace: invalid probe specifier: in action list: alloca( ) size 100 is larger than scratchsize 1
!   1 | BEGIN{this->p = (char *)alloca(100); this->p[0] = 65; printf("%c", this->p[0]); exit(0)}
!     |                         ^~~~~~~~~~~
status 1
== -xprintsize=1
$ dtrace -xcpu=0 -q -xprintsize=1 -n BEGIN{print(curthread->pid > 0); exit(0)}
int 0x1
status 0
== -xspecsize=8
$ dtrace -xcpu=0 -q -xspecsize=8 -n BEGIN{self->s = speculation(); printf("%d ", self->s)} BEGIN{speculate(self->s); printf("speculative")} BEGIN{commit(self->s)} BEGIN{exit(0)}
1 
! dtrace: 1 speculative drop
status 0
== -xaggsize=8
$ dtrace -xcpu=0 -q -xaggsize=8 -n BEGIN{@[1] = count(); @[2] = count(); exit(0)}

        1                1
        2                1
status 0
== -xdynvarsize=8
$ dtrace -xcpu=0 -q -xdynvarsize=8 -n BEGIN{a[1] = 2; self->x[2] = 3; printf("%d %d", a[1], self->x[2]); exit(0)}
2 3
status 0
== -xbufsize=8
$ dtrace -xcpu=0 -q -xbufsize=8 -n BEGIN{printf("%s", strjoin("a", "b")); exit(0)}
ab
status 0
== -xbufpolicy=ring
$ dtrace -xcpu=0 -q -xbufpolicy=ring -xbufsize=8 -n BEGIN{printf("%s", strjoin("a", "b"));} BEGIN{exit(0)}
ab
status 0
== -xbufpolicy=fill
$ dtrace -xcpu=0 -q -xbufpolicy=fill -xbufsize=8 -n BEGIN{printf("%s", strjoin("a", "b"));} BEGIN{exit(0)}
ab
status 0
== -xscratchsize=8
$ dtrace -xcpu=0 -q -xscratchsize=8 -n BEGIN{this->p = (char *)alloca(100); this->p[0] = 65; printf("%c", this->p[0]); exit(0)}
! dtrace: invalid probe specifier: in action list: alloca( ) size 100 is larger than scratchsize 8
!   1 | BEGIN{this->p = (char *)alloca(100); this->p[0] = 65; printf("%c", this->p[0]); exit(0)}
!     |                         ^~~~~~~~~~~
status 1
== -xprintsize=8
$ dtrace -xcpu=0 -q -xprintsize=8 -n BEGIN{print(curthread->pid > 0); exit(0)}
int 0x1
status 0
== -xspecsize=1k
$ dtrace -xcpu=0 -q -xspecsize=1k -n BEGIN{self->s = speculation(); printf("%d ", self->s)} BEGIN{speculate(self->s); printf("speculative")} BEGIN{commit(self->s)} BEGIN{exit(0)}
1 speculative
status 0
== -xaggsize=1k
$ dtrace -xcpu=0 -q -xaggsize=1k -n BEGIN{@[1] = count(); @[2] = count(); exit(0)}

        1                1
        2                1
status 0
== -xdynvarsize=1k
$ dtrace -xcpu=0 -q -xdynvarsize=1k -n BEGIN{a[1] = 2; self->x[2] = 3; printf("%d %d", a[1], self->x[2]); exit(0)}
2 3
status 0
== -xbufsize=1k
$ dtrace -xcpu=0 -q -xbufsize=1k -n BEGIN{printf("%s", strjoin("a", "b")); exit(0)}
ab
status 0
== -xbufpolicy=ring
$ dtrace -xcpu=0 -q -xbufpolicy=ring -xbufsize=1k -n BEGIN{printf("%s", strjoin("a", "b"));} BEGIN{exit(0)}
ab
status 0
== -xbufpolicy=fill
$ dtrace -xcpu=0 -q -xbufpolicy=fill -xbufsize=1k -n BEGIN{printf("%s", strjoin("a", "b"));} BEGIN{exit(0)}
ab
status 0
== -xscratchsize=1k
$ dtrace -xcpu=0 -q -xscratchsize=1k -n BEGIN{this->p = (char *)alloca(100); this->p[0] = 65; printf("%c", this->p[0]); exit(0)}
A
status 0
== -xprintsize=1k
$ dtrace -xcpu=0 -q -xprintsize=1k -n BEGIN{print(curthread->pid > 0); exit(0)}
int 0x1
status 0
== -xspecsize=1t
$ dtrace -xcpu=0 -q -xspecsize=1t -n BEGIN{self->s = speculation(); printf("%d ", self->s)} BEGIN{speculate(self->s); printf("speculative")} BEGIN{commit(self->s)} BEGIN{exit(0)}
1 speculative
status 0
== -xaggsize=1t
$ dtrace -xcpu=0 -q -xaggsize=1t -n BEGIN{@[1] = count(); @[2] = count(); exit(0)}

        1                1
        2                1
status 0
== -xdynvarsize=1t
$ dtrace -xcpu=0 -q -xdynvarsize=1t -n BEGIN{a[1] = 2; self->x[2] = 3; printf("%d %d", a[1], self->x[2]); exit(0)}
2 3
status 0
== -xbufsize=1t
$ dtrace -xcpu=0 -q -xbufsize=1t -n BEGIN{printf("%s", strjoin("a", "b")); exit(0)}
ab
! dtrace: buffer size lowered to N
status 0
== -xbufpolicy=ring
$ dtrace -xcpu=0 -q -xbufpolicy=ring -xbufsize=1t -n BEGIN{printf("%s", strjoin("a", "b"));} BEGIN{exit(0)}
ab
! dtrace: buffer size lowered to N
status 0
== -xbufpolicy=fill
$ dtrace -xcpu=0 -q -xbufpolicy=fill -xbufsize=1t -n BEGIN{printf("%s", strjoin("a", "b"));} BEGIN{exit(0)}
ab
! dtrace: buffer size lowered to N
status 0
== -xscratchsize=1t
$ dtrace -xcpu=0 -q -xscratchsize=1t -n BEGIN{this->p = (char *)alloca(100); this->p[0] = 65; printf("%c", this->p[0]); exit(0)}
A
status 0
== -xprintsize=1t
$ dtrace -xcpu=0 -q -xprintsize=1t -n BEGIN{print(curthread->pid > 0); exit(0)}
int 0x1
status 0
== -xnspec=0
$ dtrace -xcpu=0 -q -xnspec=0 -n BEGIN{self->s = speculation(); printf("%d ", self->s)} BEGIN{speculate(self->s); printf("speculative")} BEGIN{commit(self->s)} BEGIN{exit(0)}
0 
! dtrace: 1 failed speculation (no speculative buffer available)
status 0
== stackframes 0
lines
== maxframes 0
lines
== stackindent 0
shown
== aggsortpos 0
        1        2                1
== -xnspec=1
$ dtrace -xcpu=0 -q -xnspec=1 -n BEGIN{self->s = speculation(); printf("%d ", self->s)} BEGIN{speculate(self->s); printf("speculative")} BEGIN{commit(self->s)} BEGIN{exit(0)}
1 speculative
status 0
== stackframes 1
lines
== maxframes 1
lines
== stackindent 1
shown
== aggsortpos 1
        1        2                1
== -xnspec=1000
$ dtrace -xcpu=0 -q -xnspec=1000 -n BEGIN{self->s = speculation(); printf("%d ", self->s)} BEGIN{speculate(self->s); printf("speculative")} BEGIN{commit(self->s)} BEGIN{exit(0)}
1 speculative
status 0
== stackframes 1000
lines
== maxframes 1000
lines
== stackindent 1000
shown
== aggsortpos 1000
        1        2                1
== -xnspec=100000
$ dtrace -xcpu=0 -q -xnspec=100000 -n BEGIN{self->s = speculation(); printf("%d ", self->s)} BEGIN{speculate(self->s); printf("speculative")} BEGIN{commit(self->s)} BEGIN{exit(0)}
1 speculative
! dtrace: number of speculations lowered to N
status 0
== stackframes 100000
lines
== maxframes 100000
lines
== stackindent 100000
shown
== aggsortpos 100000
        1        2                1
== -xnspec=5000000000
$ dtrace -xcpu=0 -q -xnspec=5000000000 -n BEGIN{self->s = speculation(); printf("%d ", self->s)} BEGIN{speculate(self->s); printf("speculative")} BEGIN{commit(self->s)} BEGIN{exit(0)}
1 speculative
! dtrace: number of speculations lowered to N
status 0
== stackframes 5000000000
lines
== maxframes 5000000000
lines
== stackindent 5000000000
shown
== aggsortpos 5000000000
        1        2                1
== cpu 4096
$ dtrace -xcpu=4096 -n BEGIN{exit(0)}
! dtrace: description 'BEGIN' matched 1 probe
! dtrace: could not enable tracing: CPU 4096 is not online
status 1
== cpu 5000000000
$ dtrace -xcpu=5000000000 -n BEGIN{exit(0)}
! dtrace: description 'BEGIN' matched 1 probe
! dtrace: could not enable tracing: CPU 5000000000 is not online
status 1
== cpu 99999999999999999999
$ dtrace -xcpu=99999999999999999999 -n BEGIN{exit(0)}
! dtrace: failed to set -x cpu: Invalid value for specified option
!   note: cpu takes a number
status 1
== cpu -1
$ dtrace -xcpu=-1 -n BEGIN{exit(0)}
! dtrace: failed to set -x cpu: Invalid value for specified option
!   note: cpu takes a number
status 1
== cpu x
$ dtrace -xcpu=x -n BEGIN{exit(0)}
! dtrace: failed to set -x cpu: Invalid value for specified option
!   note: cpu takes a number
status 1
