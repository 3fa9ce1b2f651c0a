/* SPDX-License-Identifier: Apache-2.0 */
/*
 * javacalls.d: count the calls of Java methods, the most frequent last, and show how long they take.
 *
 * Java reports calls only if it was started with -XX:+DTraceMethodProbes, and is an OpenJDK that has static probes,
 * as Debian's packages do. Each call then costs microseconds more while it is traced: compare times with each
 * other. Methods of one name in a class are one row. Calls that end by an exception may have no time.
 *
 * filters: -p -n -c -i
 * needs: -p or -c
 * option: -T | timed | show times also, and sort by them
 * option: -f TEXT | contains | show only methods with this text in CLASS.METHOD
 * option: -m ROWS=20 | rows | show at most so many methods, those with most calls, or with -T most time
 * column: COUNT | calls that began; with -T, calls that ended, of recursive ones the outermost
 * column: TOTAL(us) | the time of these from begin to end, with what they called (-T)
 * column: METHOD | the class, a dot, and the method, as in java/lang/String.hashCode
 * example: javacalls.d -c 'java -XX:+DTraceMethodProbes -jar app.jar' | what a program calls most
 * example: javacalls.d -T -f com/example/ -p 1234 -t 5 | where the time of its own classes goes
 */

/* Java may be a child of the command, or not have loaded its libraries yet. */
#pragma D option zdefs
#pragma D option follow=fork

hotspot$target:::method-entry,
hotspot$target:::method-return
/selected/
{
	this->method = copyinstr(arg1, arg2) + "." + copyinstr(arg3, arg4);
	this->wanted = !has_contains || strstr(this->method, contains) != NULL;
}

hotspot$target:::method-entry
/selected/
{
	seen = 1;
}

hotspot$target:::method-entry
/!timed && selected && this->wanted/
{
	@count[this->method] = count();
}

tick-1s, END
/!timed && due/
{
	heading ? printf("%12s %s\n", "COUNT", "METHOD") : 0;
	printa("%@12d %s\n", @count, rows);
	trunc(@count);
}

/*
 * When the outermost call of a method began in this thread, and its stack pointer, by the addresses of the names of its class and
 * itself: methods with other parameters count as one. Inner calls have a lower stack pointer. A call that is
 * left by an exception may not return: the next one on the same stack replaces it.
 */
hotspot$target:::method-entry
/timed && selected && this->wanted && (!self->from[arg1, arg3] || uregs[R_SP] >= self->stack[arg1, arg3])/
{
	self->from[arg1, arg3] = timestamp;
	self->stack[arg1, arg3] = uregs[R_SP];
}

hotspot$target:::method-return
/timed/
{
	this->us = 0;
}

hotspot$target:::method-return
/timed && selected && self->from[arg1, arg3] && uregs[R_SP] + 32 >= self->stack[arg1, arg3]/
{
	this->us = timestamp - self->from[arg1, arg3];
	self->from[arg1, arg3] = 0;
}

hotspot$target:::method-return
/timed && this->us/
{
	@total[this->method] = sum(this->us / 1000);
	@returned[this->method] = count();
}

tick-1s, END
/timed && due/
{
	heading ? printf("%12s %12s %s\n", "TOTAL(us)", "COUNT", "METHOD") : 0;
	printa("%@12d %@12d %s\n", @total, @returned, rows);
	trunc(@total);
	trunc(@returned);
}

END
/heading && !seen/
{
	printf("no call was seen: is it Java, started with -XX:+DTraceMethodProbes?\n");
}
