#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: Option redact puts digests in place of texts: no byte of a recording has the text any more, names of files keep
#   their folders apart, and counts by text stay right. The option is refused where it would change nothing.
# SECTION: Recordings    @@timeout: 120    @@tags: userland
. ../../runner/show.sh

mkdir -p hidden_folder/inmost
echo one >hidden_folder/inmost/secret_one
echo two >hidden_folder/inmost/secret_two
echo three >hidden_folder/secret_three
program=(-n 'syscall::openat:entry /pid == $target/ { @[execname, copyinstr(arg1), cwd] = count(); trace(curpsinfo->pr_psargs); trace(fds[arg0].fi_pathname); ustack(2); usym(ucaller); }')
command="cat $PWD/hidden_folder/inmost/secret_one $PWD/hidden_folder/inmost/secret_one $PWD/hidden_folder/inmost/secret_two ./hidden_folder/secret_three"

# What a recording has, without its compression and without the kernel's types.
texts() {
	/usr/bin/python3 - "$1" <<'PYTHON'
import struct, subprocess, sys
data, at = open(sys.argv[1], 'rb').read(), 20
while at < len(data):
    kind, = struct.unpack('<H', data[at + 4:at + 6])
    size, = struct.unpack('<I', data[at + 32:at + 36])
    payload = data[at + 52:at + 52 + size]
    at += 52 + size
    if kind != 2:
        sys.stdout.buffer.write(subprocess.run(['zstd', '-dc'], input=payload, capture_output=True, check=True).stdout)
PYTHON
}

for kinds in none paths args strings paths,args,strings; do
	echo "== $kinds"
	option=(-x "redact=$kinds")
	[ $kinds = none ] && option=()
	"$dtrace" $dt_flags -q --record file -x recordfilter "${option[@]}" "${program[@]}" -c "$command" >/dev/null || echo failed
	stat -c 'mode %a' file
	texts file >all
	for word in secret_one secret_two hidden_folder inmost "${tmpdir##*/}" libc.so.6; do
		grep -aq -- "$word" all && echo "has ${word/${tmpdir##*/}/the folder}"
	done
	grep -aq $'\x04host' all && echo "has the host"
	"$dtrace" --replay file --summary | grep '^redacted'
	"$dtrace" --replay file -qn 'syscall::openat:entry /pid == $target/ { @[copyinstr(arg1)] = count(); } END { printa("%@d %s\n", @); }' |
		sed -E "s|$PWD|FOLDER|; s/#[0-9a-f]{12}/#/g; s|(/#)+|/#/...|" | grep -E 'secret|^2|#' | sort | uniq -c | awk '{ $1 = ""; print }' | grep -E '^ 2|three'
	"$dtrace" --replay file -qn 'syscall::openat:entry /pid == $target/ { @[curpsinfo->pr_psargs] = count(); } END { printa("%s\n", @); }' |
		sed -E "s|$PWD|FOLDER|g; s/#[0-9a-f]{12}/#/g; s|(/#)+|/#/...|g" | cut -d ' ' -f 1,2 | grep .
	"$dtrace" --replay file -qn 'syscall::openat:entry /pid == $target/ { @[execname] = count(); } END { printa("%s\n", @); }' | sed -E 's/#[0-9a-f]{12}/#/g'
	"$dtrace" --replay file -qn 'syscall::openat:entry /pid == $target/ { @[dirname(copyinstr(arg1))] = count(); }
		END { printa("%@d\n", @); }' | grep -x 3
done

echo "== where it does not fit"
run -qn 'BEGIN { exit(0); }' -x redact=names
run -qn 'BEGIN { exit(0); }' -x redact=
run -qn 'BEGIN { exit(0); }' -x redact=paths
run --replay file -x redact=paths -qn 'BEGIN { exit(0); }'
run --record other -x redact=paths -x redact=strings -qn 'BEGIN { exit(0); }'
"$dtrace" --replay other --summary | grep '^redacted'
run --record other -x redact=args -qn 'BEGIN { print(*curthread->cred); exit(0); }'
run --replay other -qn 'BEGIN { print(*curthread->cred); exit(0); }'
