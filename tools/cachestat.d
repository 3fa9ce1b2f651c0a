/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cachestat.d: show how well the page cache serves reads: hits, misses and pages made dirty.
 *
 * Numbers are pages of regular files. A read of a file needs the pages of its range, and a page fault the page that is
 * touched first. Misses are the pages that come into the cache from disk, with those that are read ahead. All else
 * that was needed are hits. Pages that come into the cache to be written are no misses. Needs Linux 6.12, whose tracepoints
 * of the page cache say what reads need.
 *
 * filters: -p -n -c -g -i
 * column: HITS | pages that reads and page faults found in the cache
 * column: MISSES | pages that were read from disk
 * column: DIRTIED | pages that were written to in the cache and have to go to disk; a large folio counts whole
 * column: HIT% | the share of hits, in percent; - if nothing was read
 * example: cachestat.d -i 1 | second by second
 * example: cachestat.d -c 'grep -r main src' | what one command finds in the cache
 */

int cpus; /* those that were seen */
int64_t needed[int], added[int], dirtied[int];
int64_t old_needed, old_added, old_dirtied;

/* The order of a large folio lies in its second page. */
inline uint64_t pages[struct folio *f] =
    *(uint64_t *)f & 1 << PG_head ? 1 << *(uint8_t *)((uintptr_t)f + sizeof (struct page)) : 1;
inline int regular[struct address_space *m] = (m->host->i_mode & 0170000) == 0100000;

BEGIN
/heading/
{
	printf("%10s %10s %10s %6s\n", "HITS", "MISSES", "DIRTIED", "HIT%");
}

/* A call that needs many pages gets them in batches: the first has the whole range, up to the end of the file. */
syscall::read:entry,
syscall::readv:entry,
syscall::pread64:entry,
syscall::preadv:entry,
syscall::preadv2:entry
/selected/
{
	self->mapping = 0;
}

sdt:filemap::mm_filemap_get_pages
/selected && regular[args[0]] && !(self->mapping == (uintptr_t)args[0] && self->last == args[2] && args[1] > self->first)/
{
	this->end = (args[0]->host->i_size - 1) / __dt_page_bytes;
	this->end = args[2] < this->end ? args[2] : this->end;
	needed[cpu] += this->end - args[1] + 1;
	self->mapping = (uintptr_t)args[0];
	self->first = args[1];
	self->last = args[2];
	cpus = cpu >= cpus ? cpu + 1 : cpus;
}

/* A fault that has waited for the disk is tried again. */
sdt:filemap::mm_filemap_fault
/selected && regular[args[0]] && !(self->fault == (uintptr_t)args[0] && self->index == args[1])/
{
	needed[cpu]++;
	self->fault = (uintptr_t)args[0];
	self->index = args[1];
	cpus = cpu >= cpus ? cpu + 1 : cpus;
}

sdt:filemap::mm_filemap_map_pages
/selected && regular[args[0]]/
{
	needed[cpu] += !(self->fault == (uintptr_t)args[0] && self->index >= args[1] && self->index <= args[2]);
	self->fault = 0;
	cpus = cpu >= cpus ? cpu + 1 : cpus;
}

sdt:filemap::mm_filemap_add_to_page_cache
/selected && regular[args[0]->mapping]/
{
	added[cpu] += pages[args[0]];
	self->added = (uintptr_t)args[0];
	cpus = cpu >= cpus ? cpu + 1 : cpus;
}

sdt:writeback::writeback_dirty_folio
/selected && args[1] != NULL && regular[args[1]]/
{
	dirtied[cpu] += pages[args[0]];
	added[cpu] -= self->added == (uintptr_t)args[0] ? pages[args[0]] : 0;
	self->added = 0;
	cpus = cpu >= cpus ? cpu + 1 : cpus;
}

/* Each CPU counts for itself; the numbers of the last time are taken off. */
tick-1s, END
/due/
{
	this->needed = -old_needed;
	this->added = -old_added;
	this->dirtied = -old_dirtied;
	for (this->i = 0; this->i < cpus; this->i++) {
		this->needed += needed[this->i];
		this->added += added[this->i];
		this->dirtied += dirtied[this->i];
	}
	old_needed += this->needed;
	old_added += this->added;
	old_dirtied += this->dirtied;
	this->misses = this->added > 0 ? this->added : 0;
	this->hits = this->needed > this->misses ? this->needed - this->misses : 0;
	this->all = this->hits + this->misses;
	printf("%10d %10d %10d %6s\n", this->hits, this->misses, this->dirtied, this->all ? lltostr(100 * this->hits / this->all) : "-");
}
