== syscall::getppid:entry
81 right, 0 wrong
== syscall::getppid:return
81 right, 0 wrong
== rawtp:::sys_enter
81 right, 0 wrong
== profile-997
81 right, 0 wrong
== pid$target:libc:getppid:entry
81 right, 0 wrong
