$ dtrace -qn BEGIN{tracemem(curthread, 70000);exit(0)}
large
status 0
$ dtrace -qn BEGIN{tracemem(curthread, 3000);} BEGIN{exit(0)}
status 0
== switch 
$ dtrace -q -xbufpolicy=switch -xstrsize=100k -n BEGIN{printf("%60000s", copyinstr(curthread->mm->arg_start)); exit(0)}
large
status 0
== switch -b 4k
$ dtrace -q -b 4k -xbufpolicy=switch -xstrsize=100k -n BEGIN{printf("%60000s", copyinstr(curthread->mm->arg_start)); exit(0)}
! dtrace: could not enable tracing: Enabling exceeds size of buffer (a record has 102440 bytes, the buffer 4096)
status 1
== switch -b 64k
$ dtrace -q -b 64k -xbufpolicy=switch -xstrsize=100k -n BEGIN{printf("%60000s", copyinstr(curthread->mm->arg_start)); exit(0)}
! dtrace: could not enable tracing: Enabling exceeds size of buffer (a record has 102440 bytes, the buffer 65536)
status 1
== switch -b 1m
$ dtrace -q -b 1m -xbufpolicy=switch -xstrsize=100k -n BEGIN{printf("%60000s", copyinstr(curthread->mm->arg_start)); exit(0)}
large
status 0
== fill 
$ dtrace -q -xbufpolicy=fill -xstrsize=100k -n BEGIN{printf("%60000s", copyinstr(curthread->mm->arg_start)); exit(0)}
large
status 0
== fill -b 4k
$ dtrace -q -b 4k -xbufpolicy=fill -xstrsize=100k -n BEGIN{printf("%60000s", copyinstr(curthread->mm->arg_start)); exit(0)}
! dtrace: could not enable tracing: Enabling exceeds size of buffer (a record has 102432 bytes, the buffer 4096)
status 1
== fill -b 64k
$ dtrace -q -b 64k -xbufpolicy=fill -xstrsize=100k -n BEGIN{printf("%60000s", copyinstr(curthread->mm->arg_start)); exit(0)}
! dtrace: could not enable tracing: Enabling exceeds size of buffer (a record has 102432 bytes, the buffer 65536)
status 1
== fill -b 1m
$ dtrace -q -b 1m -xbufpolicy=fill -xstrsize=100k -n BEGIN{printf("%60000s", copyinstr(curthread->mm->arg_start)); exit(0)}
large
status 0
== ring 
$ dtrace -q -xbufpolicy=ring -xstrsize=100k -n BEGIN{printf("%60000s", copyinstr(curthread->mm->arg_start)); exit(0)}
large
status 0
== ring -b 4k
$ dtrace -q -b 4k -xbufpolicy=ring -xstrsize=100k -n BEGIN{printf("%60000s", copyinstr(curthread->mm->arg_start)); exit(0)}
! dtrace: could not enable tracing: Enabling exceeds size of buffer (a record has 102432 bytes, the buffer 4096)
status 1
== ring -b 64k
$ dtrace -q -b 64k -xbufpolicy=ring -xstrsize=100k -n BEGIN{printf("%60000s", copyinstr(curthread->mm->arg_start)); exit(0)}
! dtrace: could not enable tracing: Enabling exceeds size of buffer (a record has 102432 bytes, the buffer 65536)
status 1
== ring -b 1m
$ dtrace -q -b 1m -xbufpolicy=ring -xstrsize=100k -n BEGIN{printf("%60000s", copyinstr(curthread->mm->arg_start)); exit(0)}
large
status 0
== END and exit
$ dtrace -q -b 4k -n BEGIN{exit(0)} END{tracemem(curthread, 3000); tracemem(curthread, 3000);}
! dtrace: could not enable tracing: Enabling exceeds size of buffer (a record has 6032 bytes, the buffer 4096)
status 1
$ dtrace -q -b 4k -n BEGIN{exit(0)} END{tracemem(curthread, 3000);} END{tracemem(curthread, 3000);}
! dtrace: could not enable tracing: END enablings exceed size of principal buffer (6064 bytes of 4096)
status 1
$ dtrace -qn BEGIN{exit(3)} END{tracemem(curthread, 30000);} END{tracemem(curthread, 30000);} END{tracemem(curthread, 30000);}
large
status 3
$ dtrace -q -b 4k -n BEGIN{tracemem(curthread, 3000)} BEGIN{tracemem(curthread, 3000);printf("%d", 1);exit(0)}


! dtrace: 1 drop on CPU n
status 0
$ dtrace -qxstrsize=2g -n BEGIN{trace(copyinstr(curthread->mm->arg_start)); exit(0)}
! dtrace: ...
status 1
$ dtrace -qxstrsize=100k -n BEGIN{self->s = copyinstr(curthread->mm->arg_start); exit(0)}
! dtrace: could not enable tracing: thread-local variables have 102401 bytes together, and the kernel takes 65000 at most
status 1
$ dtrace -qxstrsize=8m -n BEGIN{s[1] = copyinstr(curthread->mm->arg_start); exit(0)}
! dtrace: could not enable tracing: an element of s has 8388612 bytes, and the kernel takes 4190208 at most
status 1
$ dtrace -qxstrsize=8m -n BEGIN{@[copyinstr(curthread->mm->arg_start)] = count(); exit(0)}
! dtrace: could not enable tracing: a key of @_ has 8388608 bytes, and the kernel takes 4190208 at most with its value
status 1
$ dtrace -qxstrsize=0 -n BEGIN{exit(0)}
! dtrace: failed to set -x strsize: Invalid value for specified option
!   note: strsize takes a size, as in 64k or 4m
status 1
$ dtrace -qxstrsize=9m -n BEGIN{exit(0)}
! dtrace: failed to set -x strsize: Invalid value for specified option: the largest is 8m
status 1
$ dtrace -qn BEGIN{tracemem(curthread, 0x10000000); tracemem(curthread, 0x10000000); exit(0)}
! dtrace: could not enable tracing: clause dt_clause_0 records more than 512 MB, the most that one record can have
status 1
