#!/bin/bash
# ASSERTION: iter fires once for each thread, each descriptor of each process, each mapping and each socket: the numbers of a
#   program with 7 threads, 5 descriptors of a file and 3 listening TCP sockets are its own and those of /proc.
# SECTION: Providers, iter
# @@timeout: 60
. ./common.sh
begin_walked 7 5 3
ports=$(awk -v pid="$pid" 'NR > 1 && $4 == "0A" { print $10, $2 }' /proc/net/tcp)
"$dtrace" -q -n '
iter::task:at-begin /args[0]->tgid == $1/ {
	threads++;
	names += stringof(args[0]->comm) == "walked";
	last = xlate <psinfo_t *>(args[0])->pr_nlwp;
}
iter::file:at-begin /args[0]->tgid == $1/ {
	files++;
	@fds[args[1]] = count();
	named += xlate <fileinfo_t *>(args[2])->fi_name == "walked.file";
}
iter::vma:at-begin /args[0]->tgid == $1/ { @maps[args[1]->vm_start] = count(); }
iter:::at-begin-done {
	printf("%d threads, %d of that name, pr_nlwp %d\n", threads, names, last);
	printf("%d descriptors, %d of the file\n", files, named);
	printa("fd %d %@d\n", @fds);
	printa("map %x %@d\n", @maps);
	exit(0);
}' "$pid" >seen 2>err
cat err
grep -v '^fd\|^map' seen | sed "s/^[0-9]* descriptors/all descriptors/"
tasks=("/proc/$pid/task/"*)
echo "/proc: ${#tasks[@]} threads"
awk '/^fd/ { print $2 }' seen | sort -n >fds
for fd in "/proc/$pid/fd/"*; do echo "${fd##*/}"; done | sort -n | diff - fds && echo "the descriptors of /proc"
awk '/^map/ { print $2 }' seen | sort >maps
sed 's/-.*//; s/^0*//' "/proc/$pid/maps" | grep -v '^ffffffffff6' | sort | diff - maps && echo "the mappings of /proc"
awk '/^(fd|map)/ && $3 != 1' seen

"$dtrace" -q -n '
iter::tcp:at-begin /args[0]->skc_state == 10 && args[0]->skc_family == 2/ {
	printf("listens %04X\n", args[0]->skc_num);
}
iter::udp:at-begin { printf("datagrams %04X\n", args[0]->inet.sk.__sk_common.skc_num); }
iter::unix:at-begin /args[0]->addr != NULL && args[0]->addr->len > 3 && args[0]->addr->name[0].sun_path[0] == 0/ {
	printf("unix @%s\n", substr(stringof((char *)&args[0]->addr->name[0].sun_path[1]), 0, args[0]->addr->len - 3));
}
iter:::at-begin-done { exit(0); }' >sockets 2>err
cat err
inodes=$(ls -l "/proc/$pid/fd" | sed -n 's/.*socket:\[\([0-9]*\)\].*/\1/p')
of_process() { # of the lines INODE :PORT, the ports of the process's sockets
	while read -r inode address; do
		grep -qx "$inode" <<<"$inodes" && echo "$1 ${address#*:}"
	done
}
echo "$ports" | of_process listens >own
wc -l <own
awk 'NR > 1 { print $10, $2 }' /proc/net/udp | of_process datagrams >>own
while read -r line; do grep -cx "$line" sockets; done <own
grep -cx "unix @walked-$pid" sockets
end_walked
