#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * leaks.d - memory that a process has allocated since the script began and has not given back: bytes, by the stack that
 * asked for it.
 *
 *     leaks.d -c './server'
 *     leaks.d -p 1234                until Ctrl-C
 *
 * What a program keeps for good reason shows as well; what grows from run to run is the leak. Each block that is in use
 * costs a stack of 40 frames in dtrace: dynvarsize bounds them, and a warning says when it was too little.
 */
#pragma D option quiet
#pragma D option maxframes=40
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

pid$target:libc:malloc:return,
pid$target:libc:calloc:return,
pid$target:libc:realloc:return,
pid$target:libc:valloc:return,
pid$target:libc:aligned_alloc:return,
pid$target:libc:memalign:return
/self->bytes && arg1/
{
	size[arg1] = (int64_t)self->bytes;
	from[arg1] = ustack();
	@bytes[from[arg1]] = sum(size[arg1]);
}

pid$target:libc:malloc:return,
pid$target:libc:calloc:return,
pid$target:libc:realloc:return,
pid$target:libc:valloc:return,
pid$target:libc:aligned_alloc:return,
pid$target:libc:memalign:return
{
	self->bytes = 0;
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
	trunc(@bytes, 10);
	printa("%k%@12d bytes\n\n", @bytes);
}
