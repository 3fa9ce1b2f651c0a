== without /sys/kernel/btf
BEGIN
3000 bytes
stacks
dtrace: invalid probe specifier: probe description sdt:sched::sched_switch does not match any probes
  note: cannot read kernel types: /sys/kernel/btf/vmlinux: No such file or directory
dtrace: cannot read kernel types: /sys/kernel/btf/vmlinux: No such file or directory
functions: cannot read kernel types: /sys/kernel/btf/vmlinux: No such file or directory
		args[1]: userland const char *
dtrace: invalid probe specifier: procfs.d: operator -> cannot be applied to a forward declaration: no struct task_struct definition is available
 NN | 	pr_pid = T->tgid;
    | 	         ^~~~~~~
== without /sys/kernel/tracing /sys/kernel/debug
BEGIN
3000 bytes
stacks
1
functions: 
		args[1]: userland const char *
1
== without /sys/fs/bpf
BEGIN
3000 bytes
stacks
1
functions: 
		args[1]: userland const char *
1
== without /proc/kallsyms
BEGIN
3000 bytes
stacks
1
functions: 
		args[1]: userland const char *
1
== without /sys
BEGIN
3000 bytes
stacks
dtrace: invalid probe specifier: probe description sdt:sched::sched_switch does not match any probes
  note: no kernel types at /sys/kernel/btf/vmlinux: /sys is not mounted
dtrace: no kernel types at /sys/kernel/btf/vmlinux: /sys is not mounted
functions: no kernel types at /sys/kernel/btf/vmlinux: /sys is not mounted
		args[1]: userland const char *
dtrace: invalid probe specifier: procfs.d: operator -> cannot be applied to a forward declaration: no struct task_struct definition is available
 NN | 	pr_pid = T->tgid;
    | 	         ^~~~~~~
== without /proc
dtrace: /proc is needed and not mounted: mount -t proc proc /proc
