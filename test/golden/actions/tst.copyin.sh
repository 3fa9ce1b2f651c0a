#!/bin/bash
# ASSERTION: copyin, copyinstr, copyinto, bcopy and alloca read and move; a store to what is not scratch faults.
# SECTION: Actions and subroutines/Subroutines
cd "$tmpdir" || exit 1
cat >memory.py <<'PY'
import ctypes
libc = ctypes.CDLL(None)
libc.lseek.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
first, second = ctypes.create_string_buffer(b"before\0tail", 16), ctypes.create_string_buffer(b"0123456789", 16)
libc.lseek(12345, ctypes.addressof(first), 7)
libc.lseek(12345, ctypes.addressof(second), 8)
PY
cat >memory.d <<'D'
#pragma D option quiet
syscall::lseek:entry
/pid == $target && arg2 == 7/
{
	this->text = (char *)copyin(arg1, 11);
	printf("%s %c%c %d\n", stringof(this->text), this->text[7], this->text[10], this->text[6]);
	printf("%s %s\n", copyinstr(arg1), copyinstr(arg1, 3));
	this->copy = (char *)alloca(11);
	printf("%d%d ", this->copy[0], this->copy[10]);
	bcopy(this->text, this->copy, 4);
	copyinto(arg1 + 7, 4, this->copy + 4);
	this->copy[8] = '!';
	printf("%s\n", stringof(this->copy));
}
syscall::lseek:entry
/pid == $target && arg2 == 8/
{
	bcopy("abc", curthread->comm, 2);
	printf("not reached");
}
ERROR { printf("fault %d at a kernel address: %d\n", arg4, (uint64_t)arg5 >> 63); }
D
"$dtrace" -o out -s memory.d -c 'python3 memory.py' 2>err
cat out; sed 's/ID [0-9]*/ID N/; s/(0x[0-9a-f]*)/(ADDRESS)/; s/ at BPF pc.*//' err
