#!/bin/bash
# ASSERTION: a program that waits for a page holds its bank of the aggregations: no snapshot shows one of its updates without
# the others, and what the bank has is printed at the end, when the program has got its page.
# SECTION: Aggregations; pid
# @@timeout: 60
cd "$tmpdir" || exit 1
cat >held.py <<'P'
# Calls atoi() 1000 times, then with a page that comes late.
import ctypes, fcntl, mmap, os, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.atoi.argtypes = [ctypes.c_void_p]
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
SYS_userfaultfd = 282 if os.uname().machine == "aarch64" else 323
UFFDIO_API, UFFDIO_REGISTER, UFFDIO_ZEROPAGE = 0xc018aa3f, 0xc020aa00, 0xc020aa04
page = libc.mmap(None, mmap.PAGESIZE, 3, 0x22, -1, 0)
faults = libc.syscall(SYS_userfaultfd, os.O_CLOEXEC)
fcntl.ioctl(faults, UFFDIO_API, struct.pack("QQQ", 0xaa, 0, 0))
fcntl.ioctl(faults, UFFDIO_REGISTER, struct.pack("QQQQ", page, mmap.PAGESIZE, 1, 0))
here = ctypes.create_string_buffer(b"here")
for _ in range(1000):
    libc.atoi(ctypes.addressof(here))
waiting = threading.Thread(target=libc.atoi, args=(page,))
waiting.start()
os.read(faults, 32)  # the kernel waits for the page
os.getpriority(os.PRIO_PROCESS, 0)
time.sleep(float(sys.argv[1]))
fcntl.ioctl(faults, UFFDIO_ZEROPAGE, struct.pack("QQQq", page, mmap.PAGESIZE, 0, 0))
waiting.join()
P
program='pid$target:libc.so.6:atoi:entry { @all = count(); @texts[copyinstr(arg0)] = count(); }
syscall::getpriority:entry /pid == $target/ { held = 1; }'

echo "while it waits"
"$dtrace" -qn "$program"'
tick-50ms /held && n++ < 10/ { printa("all %@d\n", @all); printa("text %@d\n", @texts); printf("--\n"); }' -x aggrate=20ms \
	-c 'python3 held.py 1' >out
awk '/^all/ { all = $2 } /^text/ { texts += $2 } /^--/ { if (all != texts) print "all " all " texts " texts; texts = 0; n++ }
END { print (n >= 5 ? "many snapshots" : "few snapshots " n) }' out

echo "at the end"
"$dtrace" -qn "$program"'
tick-100ms /held && n++ == 3/ { exit(0); } END { printa("%@d %s\n", @texts); printa("%@d all\n", @all); }' -x aggrate=20ms -c 'python3 held.py 2'
exit 0
