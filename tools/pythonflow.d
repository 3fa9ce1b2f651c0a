/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pythonflow.d: show the flow of Python functions as they are called and return, indented, with file, line and times.
 *
 * Python has to be built with static probes, as Debian's is. Each line that it executes then costs microseconds more. A
 * function that is left by an exception returns as well. A generator returns when it yields, and is called when it goes
 * on. Functions that are active when -p begins return without a call.
 *
 * filters: -p -c
 * needs: -p or -c
 * option: -f TEXT | contains | show only functions of files with this text in their path
 * column: TID | the thread
 * column: TIME(us) | microseconds since tracing began
 * column: TOOK(us) | of a return, the microseconds since the call; 0 without a call
 * column: FUNCTION | -> for a call, <- for a return, and the function
 * column: FILE:LINE | where the function begins; of a return, the line that it leaves from
 * example: pythonflow.d -f report -c 'python3 report.py' | the flow of a script, without its libraries
 * example: pythonflow.d -f /srv/app/ -p 1234 -t 5 | what a server does
 */

/* Python may be a child of the command, or be loaded later. */
#pragma D option zdefs
#pragma D option follow=fork
/* A thread goes from CPU to CPU; its lines stay in order. */
#pragma D option temporal

inline int shown = !has_contains || strstr(copyinstr(arg0), contains) != NULL;

BEGIN
/heading/
{
	printf("%-7s %12s %12s %s\n", "TID", "TIME(us)", "TOOK(us)", "FUNCTION FILE:LINE");
}

/* Python 3.11 reports all calls only while it reports lines. */
python$target:::line
{
	this->line = arg2;
}

python$target:::function-entry
/selected && shown/
{
	printf("%-7d %12d %12d %*s-> %s %s:%d\n", tid, elapsed / 1000, 0, self->depth * 2, "", copyinstr(arg1), copyinstr(arg0), arg2);
	self->depth++;
	self->from[self->depth] = timestamp;
	seen = 1;
}

python$target:::function-return
/selected && shown/
{
	this->from = self->depth ? self->from[self->depth] : 0;
	self->from[self->depth] = 0;
	self->depth -= self->depth > 0;
	printf("%-7d %12d %12d %*s<- %s %s:%d\n", tid, elapsed / 1000, this->from ? (timestamp - this->from) / 1000 : 0, self->depth * 2, "",
	    copyinstr(arg1), copyinstr(arg0), arg2);
	seen = 1;
}

END
/heading && !seen/
{
	printf("no function was seen: is it Python, built with static probes?\n");
}
