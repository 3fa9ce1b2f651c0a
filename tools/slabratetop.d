/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slabratetop.d: show the objects that the kernel allocates most, by its caches.
 *
 * The kernel has a cache for each kind of object, as slabtop(1) lists them. These are the allocations, not the objects that are in
 * use. The cache with the most bytes comes first. Memory from kmalloc, which belongs to no kind of object, is not shown.
 *
 * filters: -p -n -c -g -i
 * column: CACHE | the cache
 * column: BYTES | the size of all together, with what the kernel adds to each
 * column: ALLOCS | how many were allocated
 * example: slabratetop.d -i 1 | second by second
 * example: slabratetop.d -c 'find /usr -name x' | what the kernel allocates for a command
 */
#pragma D option aggsortrev

sdt:kmem::kmem_cache_alloc
/selected && args[1] != NULL/
{
	@bytes[stringof(args[2]->name)] = sum(args[2]->size);
	@allocs[stringof(args[2]->name)] = count();
}

tick-1s, END
/due/
{
	heading ? printf("%-32s %12s %9s\n", "CACHE", "BYTES", "ALLOCS") : 0;
	printa("%-32s %@12d %@9d\n", @bytes, @allocs);
	trunc(@bytes);
	trunc(@allocs);
}
