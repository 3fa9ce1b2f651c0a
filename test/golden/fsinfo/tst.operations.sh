#!/bin/bash
# ASSERTION: fsinfo fires for each operation of a program on its open files, with the file and the bytes: what dd reads and writes.
#   dd opens each file, makes it its input or output, and closes the number that it had first.
# SECTION: Providers, 18
# @@timeout: 60
cd "$tmpdir" || exit 1
printf '%-70000s' >from
"$dtrace" -q -n '
fsinfo::: /pid == $target && (args[0]->fi_name == "from" || args[0]->fi_name == "to")/ {
	@calls[probename, args[0]->fi_name] = count();
	@bytes[probename, args[0]->fi_name] = sum(args[1]);
	wrong += args[0]->fi_pathname != strjoin($$1, args[0]->fi_name);
}
END {
	printf("wrong %d\n", wrong);
	printa("%s %s %@d times, %@d bytes\n", @calls, @bytes);
}' -c 'dd if=from of=to bs=30000 conv=fsync' "$(realpath .)/" 2>err | sort
grep -v 'records in\|records out\|copied' err
for name in lookup getpage; do "$dtrace" -n "fsinfo:::$name" 2>&1 | tail -n 1; done
