/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plockstat.d: show for which of its locks a program's threads wait, how long, and who holds them.
 *
 * The locks are mutexes and read-write locks of the C library (glibc 2.34 and later, 64-bit programs). One run
 * shows waits, holds or errors.
 *
 * filters: -p -c -i
 * needs: -p or -c
 * option: -C | waits_only | show waits, which is the default
 * option: -H | holds_only | show how long locks were held, not waits
 * option: -E | errors_only | show calls that failed, not waits
 * option: -n ROWS=20 | rows | show at most so many rows of a table, those with the longest average
 * option: -m NS=0 | min_ns | count waits and holds of at least so many nanoseconds
 * option: -s DEPTH=0 | depth | show stacks of so many frames, with a distribution of times, in place of the caller
 * column: KIND | what happened: mutex or read-write lock, block, spin, hold or error
 * column: COUNT | how often
 * column: AVG(ns) | the average time in nanoseconds
 * column: LOCK | the lock's name, if it is a variable of the program, or its address
 * column: CALLER | the function that took the lock; of a hold, that gave it back. Spins have none
 * column: ERRNO | of an error (-E), its number in place of time and caller
 * example: plockstat.d -p 1234 -t 10 | which locks of a program its threads wait for
 * example: plockstat.d -H -s 5 -c './server' | where locks are held, and how long
 * example: plockstat.d -m 1000000 -c './server' | waits of 1 ms and more
 */
#pragma D option aggsortrev

inline int waits = waits_only || !(holds_only || errors_only);
inline int holds = !waits && holds_only;
inline int errors = !waits && !holds;
inline int frames = depth != 0 ? depth : 1;

plockstat$target:::mutex-block
/waits/
{
	self->blocked = timestamp;
}

plockstat$target:::mutex-spin
/waits/
{
	self->spinning = timestamp;
}

plockstat$target:::rw-block
/waits/
{
	self->rw_blocked = timestamp;
}

/* What happened; 0: nothing to count. */
inline string kind[int what] = what == 1 ? "Mutex block" : what == 2 ? "Mutex unsuccessful block" :
    what == 3 ? "R/W reader block" : what == 4 ? "R/W writer block" : what == 5 ? "Mutex hold" :
    what == 6 ? "R/W reader hold" : "R/W writer hold";

plockstat$target:::mutex-blocked
/waits/
{
	this->what = self->blocked ? (arg1 ? 1 : 2) : 0;
	this->ns = timestamp - self->blocked;
	self->blocked = 0;
}

plockstat$target:::mutex-spun
/waits && self->spinning && timestamp - self->spinning >= min_ns/
{
	@spins[arg1 ? "Mutex spin" : "Mutex unsuccessful spin", usym(arg0)] = count();
	@spin_time[arg1 ? "Mutex spin" : "Mutex unsuccessful spin", usym(arg0)] = avg(timestamp - self->spinning);
}

plockstat$target:::mutex-spun
/waits/
{
	self->spinning = 0;
}

plockstat$target:::rw-blocked
/waits/
{
	this->what = self->rw_blocked ? (arg1 ? 4 : 3) : 0;
	this->ns = timestamp - self->rw_blocked;
	self->rw_blocked = 0;
}

plockstat$target:::mutex-acquire
/holds && !arg1/
{
	self->held[arg0] = timestamp;
}

plockstat$target:::rw-acquire
/holds/
{
	self->held[arg0] = timestamp;
}

plockstat$target:::mutex-release
/holds/
{
	this->since = arg1 ? 0 : self->held[arg0];
	this->what = this->since ? 5 : 0;
	this->ns = timestamp - this->since;
}

plockstat$target:::mutex-release
/holds && !arg1/
{
	self->held[arg0] = 0;
}

plockstat$target:::rw-release
/holds/
{
	this->since = self->held[arg0];
	this->what = this->since ? (arg1 ? 7 : 6) : 0;
	this->ns = timestamp - this->since;
	self->held[arg0] = 0;
}

plockstat$target:::mutex-blocked, plockstat$target:::rw-blocked
/waits && !depth && this->what && this->ns >= min_ns/
{
	this->caller = ucaller;
	@count[kind[this->what], usym(arg0), this->caller] = count();
	@time[kind[this->what], usym(arg0), this->caller] = avg(this->ns);
}

plockstat$target:::mutex-blocked, plockstat$target:::rw-blocked
/waits && depth && this->what && this->ns >= min_ns/
{
	@stacks[kind[this->what], usym(arg0), ustack(frames)] = quantize(this->ns);
}

plockstat$target:::mutex-release, plockstat$target:::rw-release
/holds && !depth && this->what && this->ns >= min_ns/
{
	this->caller = ucaller;
	@count[kind[this->what], usym(arg0), this->caller] = count();
	@time[kind[this->what], usym(arg0), this->caller] = avg(this->ns);
}

plockstat$target:::mutex-release, plockstat$target:::rw-release
/holds && depth && this->what && this->ns >= min_ns/
{
	@stacks[kind[this->what], usym(arg0), ustack(frames)] = quantize(this->ns);
}

plockstat$target:::mutex-error
/errors/
{
	@errors["Mutex error", usym(arg0), arg1] = count();
}

plockstat$target:::rw-error
/errors/
{
	@errors["R/W error", usym(arg0), arg2] = count();
}

tick-1s, END
/due && !depth && !errors/
{
	heading ? printf("%-24s %8s %14s %-32s %s\n", "KIND", "COUNT", "AVG(ns)", "LOCK", "CALLER") : 0;
	printa("%-24s %@8d %@14d %-32A %A\n", @count, @time, rows, "-value2");
	printa("%-24s %@8d %@14d %A\n", @spins, @spin_time, rows, "-value2");
}

tick-1s, END
/due && depth/
{
	trunc(@stacks, rows);
	printa("%s of %A%k%@d\n", @stacks);
}

tick-1s, END
/due && errors/
{
	heading ? printf("%-24s %8s %-32s %s\n", "KIND", "COUNT", "LOCK", "ERRNO") : 0;
	printa("%-24s %@8d %-32A %d\n", @errors);
	trunc(@errors);
}

tick-1s, END
/due/
{
	trunc(@count);
	trunc(@time);
	trunc(@stacks);
	trunc(@spins);
	trunc(@spin_time);
}
