$ dtrace -x btfpath=/nonexistent/vmlinux -n fbt::vfs_read:entry
! dtrace: -x btfpath=/nonexistent/vmlinux: cannot read kernel types: /nonexistent/vmlinux: No such file or directory
status 1
$ dtrace -x btfpath=none -qn BEGIN { trace("without types"); exit(0); }
without types
status 0
