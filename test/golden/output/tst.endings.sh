#!/bin/bash
# ASSERTION: where no format is given, the ending of a file's name chooses it; of one that several formats have, the message says how
#   to write each; option format and a format behind the name win.
# SECTION: Output
cd "$tmpdir" || exit 1
kind() { # FILE: what it holds, by how it begins
	case $(head -c 40 "$1" | tr -d '\0') in
	'{"type":"begin"'*) echo json ;;
	aggregation,*) echo csv ;;
	*'<svg'* | '<?xml'*) echo svg ;;
	'row 1'*) echo text ;;
	*';'*' 1' | *' 1') echo folded ;;
	*) [ "$(head -c 2 "$1" | od -An -tx1)" = ' 1f 8b' ] && echo gzip || head -c 60 "$1" ;;
	esac
}
run() { # FILE [OPTION...]
	"$dtrace" -qn 'syscall::lseek:entry /pid == $target && arg0 == 12345/ { @[ustack(1)] = count(); } END { printa("row %@d\n", @); }' \
		-c "$triggers/syscalls 1" -o "$@" 2>&1
}
for file in a.json b.csv c.folded d.svg e.pb.gz f.txt g.json.txt h.json:text; do
	run $file
	echo "$file: $(kind ${file%%:*})"
done
run i.json -x format=text
echo "i.json, format=text: $(kind i.json)"
run j.html; echo "status $?"
