== probes at _dl_debug_state
exec 11
preinit 11
postinit 1
main 1
== probes at _start main
exec 11
preinit 11
postinit 1
main 1
  _start                                                            4
  main                                                              4
== probes at _dl_debug_state _start
preinit 11
