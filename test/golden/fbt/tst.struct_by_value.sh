#!/bin/bash
# ASSERTION: structs that kernel functions are given or return by value: in one register, in two, on the stack; what comes
#   after them is found, too. A function that this kernel has not, or has inlined, is left out.
# SECTION: Providers, fbt
# @@timeout: 120
. ../fbt/common.sh

has() { "$dtrace" -ln "$1" 2>/dev/null | sed 1d | grep -q .; }
# trace PROBE PROGRAM COMMAND: what the program prints for the command.
trace() {
  "$dtrace" -qn "$1 /pid == \$target || ppid == \$target/ { $2 }" -c "$3" 2>err >out
}

if has fbt::from_kuid_munged:entry; then
  touch file && chown 4711 file
  trace fbt::from_kuid_munged:entry 'printf("uid %d\n", args[1].val);' 'stat file'
fi
claim "one register" eval '! has fbt::from_kuid_munged:entry || grep -qx "uid 4711" out'

if has fbt::current_time:return; then
  trace fbt::current_time:return 'printf("%d\n", args[1].tv_sec - walltimestamp / 1000000000); printf("ns %d\n", args[1].tv_nsec >= 0 && args[1].tv_nsec < 1000000000);' \
    'touch file'
fi
claim "two registers are returned" eval '! has fbt::current_time:return || { grep -qx "0\|-1" out && grep -qx "ns 1" out; }'

cat >move.py <<'PY'
import ctypes
libc = ctypes.CDLL(None)
pages, nodes, status = (ctypes.c_void_p * 3)(), (ctypes.c_int * 3)(), (ctypes.c_int * 3)()
libc.syscall(279, 0, 3, pages, nodes, status, 2)
PY
if has fbt::do_pages_move:entry; then
  trace fbt::do_pages_move:entry 'printf("nodes %x pages %d flags %d\n", args[1].bits[0] & 1, args[2], args[6]);' 'python3 move.py'
fi
claim "on the stack" eval '! has fbt::do_pages_move:entry || grep -qx "nodes 1 pages 3 flags 2" out'

# The whole, as bytes and typed.
if has fbt::current_time:return; then
  trace fbt::current_time:return 'this->t = args[1]; print(args[1]); printf("\nsame %d\n", this->t.tv_sec == args[1].tv_sec);' 'touch file'
fi
claim "as a whole" eval '! has fbt::current_time:return || { grep -q "tv_sec = " out && grep -qx "same 1" out; }'

# Numbers narrower than a register are as signed as the parameter.
cat >close.py <<'PY'
import ctypes
ctypes.CDLL(None).kill(-2, 77)
PY
if has fbt::kill_something_info:entry; then
  trace fbt::kill_something_info:entry 'printf("%d %d\n", arg2, args[2]);' 'python3 close.py'
fi
claim "widths" eval '! has fbt::kill_something_info:entry || grep -qx -- "-2 -2" out'
