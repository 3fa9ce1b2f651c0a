#!/usr/sbin/dtrace -qs
/* ASSERTION: a translator of the script's own, by value and through a pointer, and xlate.	@@runtest-opts: -q */

typedef struct brief {
	int b_pid;
	string b_name;
	int b_twice;
} brief_t;

translator brief_t < struct task_struct *T > {
	b_pid = T->tgid;
	b_name = stringof(T->comm);
	b_twice = T->tgid * 2;
};

inline brief_t self_brief = xlate <brief_t> (curthread);

dtrace:::BEGIN
{
	printf("%s ", xlate <brief_t *> (curthread)->b_pid == pid ? "own pid" : "another");
	printf("%s\n", xlate <brief_t *> (curthread)->b_name == execname ? "own name" : "another");
	printf("%d\n", xlate <brief_t> (curthread).b_twice - 2 * pid);
	printf("%s\n", self_brief.b_pid == pid ? "by an inline" : "another");
	exit(0);
}
