/*
 * ASSERTION: for and while run as in C, nested, with break and continue, and without a condition; they update variables,
 * aggregations and strings; a string or a list of the kernel is walked.
 * SECTION: Stability, faults, drops, speculation, clause semantics/Clause evaluation
 */
#pragma D option quiet
string text;
BEGIN
{
	for (i = 0; i < 10; i++)
		total += i;
	printf("sum %d, i %d\n", total, i);
	n = 5;
	while (n) { n--; steps++; }
	printf("steps %d\n", steps);
	for (i = 0; i < 4; i++) {
		for (j = 0; j < 4; j++) {
			if (j == 2) continue;
			if (i == 3) break;
			cells++;
			@cells[i] = count();
		}
	}
	printf("cells %d\n", cells);
	printa("%d %@d\n", @cells);
	for (;;) { if (++k > 20) break; }
	printf("k %d\n", k);
	for (i = 10; i < 3; i++) never = 1;
	while (0) never = 1;
	printf("never %d\n", never);
	text = "";
	for (i = 0; i < 5; i++) { text += lltostr(i); if (i != 4) text += ","; }
	printf("%s\n", text);
	this->mask = 0;
	for (this->b = 0; this->b < 8; this->b += 2) this->mask |= 1 << this->b;
	printf("%x\n", this->mask);
	task = curthread;
	for (depth = 0; task->real_parent != task && depth < 100; depth++) task = task->real_parent;
	printf("%s\n", task->pid == 0 || task->pid == 1 ? "root" : "lost");
	for (i = 0; i < 3; i++) { i == 1 ? @odd = count() : @even = count(); }
	printa("odd %@d", @odd); printa(" even %@d\n", @even);
	exit(0);
}
