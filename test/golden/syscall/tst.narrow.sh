#!/bin/bash
# ASSERTION: system calls of a 32-bit program are seen by name, with arguments as wide and as signed as their parameters, also
#   where these are in two registers or in another order than a 64-bit program's; with results, errors and counts; alone and
#   among all calls. A number means the call of the code that made it, also if that is a 64-bit program's int $0x80.
# SECTION: Providers, 4
# @@timeout: 120
cd "$tmpdir" || exit 1
cat >narrow.c <<'C'
#include <stdio.h>

/* The vector that all such calls can take; arguments in the registers' order. */
static long call(long number, long a, long b, long c, long d, long e, long f)
{
	long result;
	struct { long number, f; } both = {number, f};

#ifdef __i386__
	__asm__ volatile("push %%ebp\n\tmov 4(%1), %%ebp\n\tmov (%1), %%eax\n\tint $0x80\n\tpop %%ebp"
		: "=a"(result) : "a"(&both), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e) : "memory");
#else
	__asm__ volatile("push %%rbp\n\tmov 8(%1), %%rbp\n\tmov (%1), %%rax\n\tint $0x80\n\tpop %%rbp"
		: "=a"(result) : "a"(&both), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e) : "memory", "r8", "r9", "r10", "r11");
#endif
	return result;
}

int main(int argc, char **argv)
{
	int child = 0, parent = 0;
	char readable[] = "narrow.c", missing[] = "/no/such/file", other[] = "/no/such/other"; /* in resident memory */

	if (argc > 1) { /* counts */
		for (int n = 0; n < 1000; n++)
			call(19, -1, n, 0, 0, 0, 0); /* lseek */
		return 0;
	}
	call(20, 0, 0, 0, 0, 0, 0);		       /* getpid; of 64-bit code 20 is writev */
	call(39, 0, 0755, 0, 0, 0, 0);		       /* mkdir(NULL): 39 is getpid */
	call(6, -1, 0, 0, 0, 0, 0);		       /* close: 6 is lstat */
	call(37, -2, 77, 0, 0, 0, 0);		       /* kill: no such signal */
	call(19, -1, -5, 1, 0, 0, 0);		       /* lseek */
	call(180, -1, 0, 7, 2, 1, 0);		       /* pread64 at 0x100000002 */
	call(324, -1, 3, -1, -1, 5, 6);		       /* fallocate at -1, 0x600000005 bytes */
	call(182, 0, 70000, -1, 0, 0, 0);	       /* chown of 16 bits each */
	call(212, 0, 70000, -1, 0, 0, 0);	       /* chown32 */
	call(192, 0xfffff000, 0, 3, 0x22, -1, 5);      /* mmap2 of no length: EINVAL */
	call(90, 64, 0, 0, 0, 0, 0);		       /* mmap of the first kernels */
	call(240, 64, 1, -3, 0, 0, 9);		       /* futex: EFAULT, or 0 for no waiters */
#ifdef __i386__
	long at = call(192, 0, 4096, 3, 0x22, -1, 0), fd = call(5, (long)readable, 0, 0, 0, 0, 0);
	printf("# mmap2 %lx open %ld\n", at, fd);
	printf("# open %ld\n", call(5, (long)missing, 0x241, 0644, 0, 0, 0));
	printf("# stat64 %ld\n", call(195, (long)other, at, 0, 0, 0, 0));
	call(91, at, 4096, 0, 0, 0, 0);		       /* munmap */
	/* CLONE_VM | CLONE_THREAD without CLONE_SIGHAND: EINVAL. The address for the parent, that of the TLS, the child's. */
	printf("# clone %ld %lx %lx\n", call(120, 0x10100, 0, (long)&parent, 4321, (long)&child, 0), (long)&parent, (long)&child);
#endif
	return 0;
}
C
cc -m32 -o narrow narrow.c && cc -mno-red-zone -o wide narrow.c || exit 1
cat >calls.d <<'D'
#pragma D option quiet
syscall::getpid:entry, syscall::writev:entry, syscall::mkdir:entry, syscall::lstat:entry /pid == $target/ { trace(probefunc); trace(" "); }
syscall::mkdir:entry /pid == $target/ { printf("(%d, %o) ", arg0, arg1); }
syscall::mkdir:return /pid == $target/ { printf("%d %d\n", (int)arg0, errno); }
syscall::close:entry /pid == $target && arg0 == -1/ { printf("close %d\n", arg0); }
syscall::kill:entry /pid == $target/ { printf("kill %d %d\n", arg0, arg1); }
syscall::lseek:entry /pid == $target && arg0 == -1/ { printf("lseek %d %d %d, args[1] %d\n", arg0, arg1, arg2, args[1]); }
syscall::pread64:entry /pid == $target && arg0 == -1/ { printf("pread64 %d %d %d %x\n", arg0, arg1, arg2, arg3); }
syscall::fallocate:entry /pid == $target/ { printf("fallocate %d %d %d %x\n", arg0, arg1, arg2, arg3); }
syscall::chown:entry /pid == $target/ { printf("chown %d %d %d\n", arg0, arg1, arg2); }
syscall::chown32:entry /pid == $target/ { printf("chown32 %d %d %d\n", arg0, arg1, arg2); }
syscall::mmap2:entry /pid == $target && arg1 == 0/ { printf("mmap2 %x %d %d %x %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5); self->m = 1; }
syscall::mmap2:return /self->m/ { printf("mmap2 %d %d %d\n", arg0, errno, arg2); self->m = 0; }
syscall::mmap:entry /pid == $target && arg0 == 64/ { trace("mmap\n"); }
syscall::old_mmap:entry /pid == $target/ { printf("old_mmap %d\n", arg0); }
syscall::futex:entry /pid == $target && arg0 == 64/ { printf("futex %d %d %x %d\n", arg0, arg1, arg2, arg5); }
D
cat >results.d <<'D'
#pragma D option quiet
syscall::open:entry /pid == $target/ { self->path = copyinstr(arg0); self->named = copyinstr(args.filename); self->flags = arg1; self->mode = arg2; }
syscall::open:return /self->path == "narrow.c"/ { printf("open %s %d: %d %d\n", self->named, self->flags, arg0, errno); }
syscall::open:return /self->path == "/no/such/file"/ { printf("open %s %x %o: %d %d %d\n", self->path, self->flags, self->mode, arg1, errno, arg2); }
syscall::open:return { self->path = 0; }
syscall::stat64:entry /pid == $target/ { self->stat = copyinstr(arg0); self->to = arg1; }
syscall::stat64:return /self->stat == "/no/such/other"/ { printf("stat64 %s: %d\n", self->stat, errno); }
syscall::mmap2:entry /pid == $target && arg1 == 4096 && arg4 == -1/ { self->length = arg1; }
syscall::mmap2:return /self->length/ { mapped[arg1] = 1; self->length = 0; }
syscall::munmap:entry /pid == $target && mapped[arg0] && arg0 == self->to/ { printf("munmap what mmap2 gave: %d\n", arg1); }
syscall::clone:entry /pid == $target && arg0 == 0x10100/ { printf("clone %x: %x %x, tls %d\n", arg0, arg2, arg3, arg4); }
syscall::clone:return /pid == $target/ { printf("clone: %d %d\n", arg0, errno); }
D
for program in narrow wide; do
	echo "== $program"
	"$dtrace" -s calls.d -c "./$program" 2>&1 | grep '^[^#]'
done
echo "== results"
"$dtrace" -s results.d -c ./narrow >out 2>&1
python3 - <<'PY'
lines = open("out").read().split("\n")
said = {line.split()[1]: line.split()[2:] for line in lines if line.startswith("#")}
for line in lines:
    if line.startswith("clone 10100"):
        _, _, parent, child, _, tls = line.replace(",", "").split()
        print("clone", [parent, child] == said["clone"][1:], "tls", tls)
    elif line.startswith("open narrow.c"):
        print(line.replace(said["mmap2"][2], "DESCRIPTOR"))
    elif line and not line.startswith("#"):
        print(line)
PY
echo "== among all calls"
"$dtrace" -qn 'syscall:::entry /pid == $target/ { self->named = probefunc; }
	syscall:::entry /pid == $target && (probefunc == "kill" || probefunc == "fallocate" || probefunc == "pread64" ||
	    probefunc == "chown" || probefunc == "lseek" && arg0 == -1)/ { printf("%s %d %d %d %d\n", probefunc, arg0, arg1, arg2, arg3); }
	syscall:::return /pid == $target && self->named != probefunc/ { @[self->named, probefunc] = count(); }
	syscall::open:return /pid == $target && errno == ENOENT/ { trace(errno); trace("\n"); }' -c ./narrow 2>&1 |
	grep '^[^#]'
echo "== counts"
for program in narrow wide; do
	"$dtrace" -xledger=text -qn 'syscall::lseek:entry /pid == $target && arg0 == -1/ { @ = count(); @sum = sum(arg1); }
		syscall::lseek:return /pid == $target && errno == EBADF/ { @failed = count(); }' -c "./$program 1" 2>&1 | grep .
done
exit 0
