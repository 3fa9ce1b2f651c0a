-- @@stderr --
dtrace: could not enable tracing: copyout( ) writes to a process's memory, which this kernel does not let programs do (lockdown)
dtrace: could not enable tracing: copyoutstr( ) writes to a process's memory, which this kernel does not let programs do (lockdown)
