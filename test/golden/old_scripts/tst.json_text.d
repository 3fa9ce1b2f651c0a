#!/usr/sbin/dtrace -qs
/* ASSERTION: json() takes apart what a program logs.	@@runtest-opts: -q */

dtrace:::BEGIN
{
	line = "{\"name\":\"web\",\"req\":{\"url\":\"/index\",\"codes\":[200,304]},\"ms\":12}";
	printf("%s %s %s\n", json(line, "name"), json(line, "req.url"), json(line, "req.codes[1]"));
	printf("%d\n", strtoll(json(line, "ms")) * 2);
	printf("%s\n", json(line, "nothing") == NULL ? "no such member" : "there");
	@urls[json(line, "req.url")] = count();
	exit(0);
}
dtrace:::END { printa("%s %@d\n", @urls); }
