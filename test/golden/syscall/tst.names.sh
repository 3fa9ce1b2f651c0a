#!/bin/bash
# ASSERTION: every call has an entry and a return, by the name of its manual page; the kernel's spellings and those of other
#   systems find the same probes; provider, module and types are listed.
# SECTION: Providers, 4
cd "$tmpdir" || exit 1
# What newer architectures do without.
most=700 names="stat lstat" aliases="newstat:stat newlstat:lstat open64:open creat64:creat stat64:stat lstat64:lstat gtime:time"
[ "$(uname -m)" = x86_64 ] || most=600 names= aliases=
"$dtrace" -lP syscall >list 2>err || exit 1
cat err
awk 'NR > 1 { if ($2 != "syscall" || $3 != "vmlinux") print "odd", $0; seen[$4] = seen[$4] $5 " "; n++ }
     END { for (f in seen) if (seen[f] != "entry return ") print f, seen[f]; print (n > most) ? "all" : n }' most=$most list
sort -n -c -k1,1 <(tail -n +2 list) && echo in order
for name in $names fstat uname sendfile umount2 newfstatat openat execve clone3 exit_group pread64 rt_sigprocmask; do
	grep -q " $name entry\$" list || echo "no $name"
done
for alias in $aliases newfstat:fstat newuname:uname sendfile64:sendfile openat64:openat fstat64:fstat exece:execve rexit:exit_group so_socket:socket pollsys:ppoll lwp_kill:tgkill \
	lwp_sigmask:rt_sigprocmask pread:pread64 pwrite:pwrite64 mmap64:mmap accept1:accept umount:umount2; do
	got=$("$dtrace" -ln "syscall::${alias%:*}:entry" 2>&1 | awk 'NR > 1 { print $4 }' | tr '\n' ' ')
	case " $got" in *" ${alias#*:} "*) ;; *) echo "$alias finds $got" ;; esac
done
"$dtrace" -lvn syscall::read:entry -n syscall::read:return -n syscall::execve:entry | sed -n '/Argument Types/,/^$/p'
"$dtrace" -ln 'syscall::*at:entry' | awk '$4 !~ /at$/ && NR > 1'
"$dtrace" -ln 'syscall::read,syscall::write:entry' 2>&1 | awk 'END { print $2, $3, $4, $5 }'
