#!/bin/bash
# ASSERTION: what O_DIRECT reads and writes is not said to be of the file whose pages are the program's buffer.
# SECTION: Providers, 10
# @@timeout: 60
cd "$tmpdir" || exit 1
cat >direct.py <<'P'
import mmap, os, sys
size = 65536
other = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
os.write(other, b"o" * size)
os.fsync(other)
mapped = mmap.mmap(other, size)
mapped[0]  # is in memory
shared = mmap.mmap(-1, size)
shared[:] = b"s" * size
private = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
private[:] = b"p" * size
target = os.open("target", os.O_RDWR | os.O_CREAT | os.O_DIRECT)
for memory in (mapped, shared, private):
    os.pwrite(target, memory, 0)
for memory in (shared, private):
    os.preadv(target, [memory], 0)
P
"$dtrace" -q -n '
io:::start /args[2]->fi_name == $$1 || (pid == $target && (args[0]->b_flags & B_PHYS) != 0)/ {
	@[args[2]->fi_name == $$1 ? "other" : args[2]->fi_pathname, args[0]->b_flags & B_READ ? "read" : "written",
	    args[0]->b_flags & B_PHYS ? "by a buffer" : args[0]->b_flags & B_PAGEIO ? "by the cache" : "?"] = sum(args[0]->b_bcount);
}
END { printa("%s %s %s %@d\n", @); }' -c "python3 direct.py other.$$" "other.$$" 2>err | grep . | sort
cat err
