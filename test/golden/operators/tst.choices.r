== syscall::getppid:entry
169 right, 0 wrong
== syscall::getppid:return
169 right, 0 wrong
== rawtp:::sys_enter
169 right, 0 wrong
== profile-997
169 right, 0 wrong
== pid$target:libc:getppid:entry
169 right, 0 wrong
