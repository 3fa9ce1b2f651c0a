#!/usr/sbin/dtrace -s
/* ASSERTION: entries of associative arrays are freed by 0, also of strings and with several keys. */
#pragma D option quiet

dtrace:::BEGIN
{
	start[pid, "read"] = timestamp;
	name[1] = "one";
	depth["x", 2] = 5;
	printf("%s %s %d\n", start[pid, "read"] ? "set" : "free", name[1], depth["x", 2]);
	start[pid, "read"] = 0;
	name[1] = 0;
	depth["x", 2] = 0;
	printf("%s [%s] %d %d\n", start[pid, "read"] ? "set" : "free", name[1] == NULL ? "none" : name[1], depth["x", 2], depth["y", 2]);
	depth["x", 2]++;
	depth["x", 2] += 3;
	printf("%d\n", depth["x", 2]);
	exit(0);
}
