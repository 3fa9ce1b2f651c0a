#!/bin/bash
# ASSERTION: Tracepoints of loaded modules are probes of sdt and rawtp, with the types of the module, by their name alone or by a glob.
# SECTION: sdt provider
# @@timeout: 60
cd "$tmpdir" || exit 1
"$dtrace" -lvn sdt:ext4::ext4_unlink_enter | awk '/^ *[0-9]/ { print $2, $3, $4 } /args\[/ { $1 = $1; print }'
head -c 12345 /dev/zero >victim
for probe in sdt:ext4::ext4_unlink_enter rawtp:::ext4_unlink_enter 'sdt:ext4::ext4_unlink_e*er'; do
	cp victim doomed
	"$dtrace" -qn "$probe"' /pid == $target/ {
		printf("%s %s: %s of %d bytes\n", probeprov, probename, stringof(args[1]->d_name.name), args[1]->d_inode->i_size);
		printf("%d\n", args.parent == args[1]->d_parent->d_inode);
	}' -c "busybox unlink doomed" | grep .
done
