dtrace: system calls probed at sys_enter, which all calls pass
dtrace: description 'BEGIN ' matched 2 probes
dtrace: could not enable tracing: option 'syscalls=function': this kernel does not let the functions of system calls be probed
dtrace: failed to set -x syscalls: Invalid value for specified option
  note: syscalls takes auto, tracepoint or function
no calls

