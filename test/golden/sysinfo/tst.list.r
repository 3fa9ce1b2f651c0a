sysinfo:vmlinux::sysread
sysinfo:vmlinux::syswrite
sysinfo:vmlinux::readch
sysinfo:vmlinux::writech
sysinfo:vmlinux::sysexec
sysinfo:vmlinux::sysfork
sysinfo:vmlinux::sysvfork
sysinfo:vmlinux::nthreads
sysinfo:vmlinux::msg
sysinfo:vmlinux::sema
sysinfo:vmlinux::pswitch
sysinfo:vmlinux::inv_swtch
sysinfo:vmlinux::idlethread
sysinfo:vmlinux::intr
sysinfo:vmlinux::cpu_ticks_user
sysinfo:vmlinux::cpu_ticks_kernel
sysinfo:vmlinux::cpu_ticks_idle
readch
  note: Linux has events for page faults only: vminfo:::as_fault, vminfo:::prot_fault, vminfo:::kernel_asflt; a fault that ends in a signal fires proc:::fault
  note: no event of Linux counts path lookups: trace the system calls that take a path
  note: Linux has no buffers beside its page cache: io:::start counts what disks are asked
  note: a tick in which a CPU is idle is cpu_ticks_idle, whether a thread waits for a disk or not
  note: io:::start with B_PHYS in args[0]->b_flags is what a program reads past the page cache
  note: no event of Linux counts the characters of terminals: trace read and write
  note: it belongs to the file system UFS
