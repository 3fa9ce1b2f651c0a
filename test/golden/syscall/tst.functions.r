== wide
  /no/such                                                        448                1
  /no/such                                                        449                1
  /no/such                                                        450                1
  /no/such                                                        451                1
  /no/such                                                        452                1
  /no/such                                                        453                1
  /no/such                                                        454                1
  /no/such                                                        455                1
  /no/such                                                        456                1
  /no/such                                                        457                1
  execve                                                            0                1
  execve in true                                                    0                1
  execve in wide                                                    2                1
  exit_group                                                        0                2
  mkdir                                                             2               10
  read                                                              1               64
  lseek                                                             1             1000
  lseek failed                                                     -1             1000
  mkdir                                                           -20
  lseek                                                        499500
nothing was lost
== narrow
  /no/such                                                        448                1
  /no/such                                                        449                1
  /no/such                                                        450                1
  /no/such                                                        451                1
  /no/such                                                        452                1
  /no/such                                                        453                1
  /no/such                                                        454                1
  /no/such                                                        455                1
  /no/such                                                        456                1
  /no/such                                                        457                1
  execve                                                            0                1
  execve in narrow                                                  2                1
  execve in true                                                    0                1
  exit_group                                                        0                2
  mkdir                                                             2               10
  read                                                              1               64
  lseek                                                             1             1000
  lseek failed                                                     -1             1000
  mkdir                                                           -20
  lseek                                                        499500
nothing was lost
== which
 probed at functions
 probed at functions
 probed at sys_enter, which all calls pass
 probed at sys_exit, which all calls pass
 probed at sys_enter, which all calls pass
 probed at sys_enter, which all calls pass
dtrace: description 'syscall::getppid:entry ' matched 1 probe
dtrace: could not enable tracing: option 'syscalls=function': no function has the firings of syscall:vmlinux:getppid:entry alone
 probed at sys_enter, which all calls pass
 probed at sys_exit, which all calls pass
dtrace: description 'syscall::clone:return ' matched 1 probe
dtrace: could not enable tracing: option 'syscalls=function': no function has the firings of syscall:vmlinux:clone:return alone
 probed at sys_enter, which all calls pass
dtrace: description 'syscall::fcntl:entry ' matched 1 probe
dtrace: could not enable tracing: option 'syscalls=function': no function has the firings of syscall:vmlinux:fcntl:entry alone
 probed at sys_enter, which all calls pass
 probed at sys_exit, which all calls pass
 probed at sys_enter, which all calls pass
== none is left
well
