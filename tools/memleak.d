/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memleak.d: show memory that a program has allocated and not freed, by the stacks that allocated it.
 *
 * What was allocated before the tool began does not count. Functions are those of the C library: malloc, calloc, realloc,
 * memalign, aligned_alloc, valloc, posix_memalign and free. A program that uses memory until
 * it ends is not to blame: look for stacks that grow.
 *
 * filters: -p -c -i
 * needs: -p or -c
 * option: -m ROWS=20 | rows | show at most so many stacks at the end, those with the most memory
 * column: BYTES | memory of these stacks that is not freed yet, after the stack
 * example: memleak.d -p 1234 -i 10 | what grows, every ten seconds
 * example: memleak.d -c './test' -m 5 | what a command does not free
 */
#pragma D option dynvarsize=64m

pid$target:libc:malloc:entry,
pid$target:libc:valloc:entry
{
	self->bytes = arg0;
}

pid$target:libc:calloc:entry
{
	self->bytes = arg0 * arg1;
}

pid$target:libc:realloc:entry,
pid$target:libc:aligned_alloc:entry,
pid$target:libc:memalign:entry
{
	self->bytes = arg1;
}

pid$target:libc:posix_memalign:entry
{
	self->result = arg0;
	self->size = arg2;
}

pid$target:libc:malloc:return,
pid$target:libc:valloc:return,
pid$target:libc:calloc:return,
pid$target:libc:realloc:return,
pid$target:libc:aligned_alloc:return,
pid$target:libc:memalign:return
/self->bytes/
{
	if (arg1) {
		size[arg1] = (int64_t)self->bytes;
		from[arg1] = ustack();
		@bytes[from[arg1]] = sum((int64_t)self->bytes);
	}
	self->bytes = 0;
}

pid$target:libc:posix_memalign:return
/self->result/
{
	if ((int)arg1 == 0) {
		this->address = *(uintptr_t *)copyin(self->result, sizeof (uintptr_t));
		size[this->address] = (int64_t)self->size;
		from[this->address] = ustack();
		@bytes[from[this->address]] = sum((int64_t)self->size);
	}
	self->result = 0;
	self->size = 0;
}

pid$target:libc:free:entry,
pid$target:libc:realloc:entry
/size[arg0]/
{
	@bytes[from[arg0]] = sum(-size[arg0]);
	size[arg0] = 0;
	from[arg0] = 0;
}

END
{
	trunc(@bytes, rows);
}

/* The sums stay: they are of memory that is still there. */
tick-1s, END
/due/
{
	heading ? printf("memory not freed, the most last\n") : 0;
	printa("%k%@16d bytes\n\n", @bytes);
}
