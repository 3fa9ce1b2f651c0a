#!/bin/bash
# ASSERTION: profile interrupts that fire inside system call probes never corrupt a record, key or value.
# SECTION: Firing context
# @@timeout: 120
$dtrace -qn 'syscall::lseek:entry /pid == $target && arg0 == 12345/
{
	this->text = strjoin("s", lltostr(arg1));
	printf("S %s %d\n", this->text, arg1);
	@sums[this->text] = sum(arg1);
	@total = sum(1);
}
profile-4999 { this->text = strjoin("p", lltostr(timestamp)); @p[this->text == "x" ? 1 : 0] = count(); n++; printf("P %s %d\n", this->text, timestamp); }
END { printa("T %@d\n", @total); printa("A %s %@d\n", @sums); }' -b 32m \
	-c "$(dirname "$dtrace")/../test/triggers/syscalls 20000" 2>"$tmpdir/err" >"$tmpdir/out"
grep -v 'nothing' "$tmpdir/err"
python3 - "$tmpdir/out" <<'P'
import sys
bad = s = p = keys = 0
total = None
for line in open(sys.argv[1]):
    w = line.split()
    if not w:
        continue
    if w[0] == "S":
        s += 1
        bad += w[1] != "s" + w[2]
    elif w[0] == "P":
        p += 1
        bad += w[1] != "p" + w[2]
    elif w[0] == "T":
        total = int(w[1])
    elif w[0] == "A":
        keys += 1
        bad += w[1] != "s" + w[2]
print("bad", bad, "rows", s, "total", total, "keys", keys, "profile fired", p > 0)
P
