ok: the map of a JIT compiler is a FIFO
ok: functions are listed
ok: returns are listed
ok: static probes are listed
ok: notes that are not read are reported
ok: half a million static probes are listed
ok: static probes of all processes are listed
ok: separate debug file 0 is not read without end
ok: separate debug file 1 is not read without end
ok: separate debug file 2 is not read without end
ok: separate debug file 3 is not read without end
ok: addresses become symbols
ok: demangled, too
ok: the map of a JIT compiler: sparse
ok: the map of a JIT compiler: line
ok: the map of a JIT compiler: escape
ok: the map of a JIT compiler: nested
ok: the map of a JIT compiler: growing
