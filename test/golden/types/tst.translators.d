/*
 * ASSERTION: xlate gives the members that a translator defines, evaluated when they are used; by value and by pointer;
 * the parameter hides globals; translators use others; typedefs on either side are seen through.
 * SECTION: Types and expressions/Inlines and translators
 */
#pragma D option quiet
struct taskinfo { int t_id; string t_name; char *t_text; int *t_bad; };
translator struct taskinfo < struct task_struct *T > {
	t_id = T->pid; t_name = T->comm; t_text = T->comm; t_bad = (int *)*(long *)0; };
typedef struct taskinfo info_t;
int R;
struct one { int v; }; struct two { int w; };
translator struct one < int R > { v = R + 1; };
translator struct two < int I > { w = xlate <struct one> (I).v * 2; };
typedef int number_t;
BEGIN
{
	printf("%d %s\n", xlate <struct taskinfo *> (curthread)->t_id == tid, xlate <struct taskinfo> (curthread).t_name);
	printf("%d %s\n", xlate <info_t> (curthread).t_id == tid, stringof(xlate <info_t *> (curthread)->t_text));
	R = 100; x = 20;
	printf("%d %d %d\n", xlate <struct one> (x).v, xlate <struct two> (4).w, xlate <struct one> ((number_t)7).v);
	printf("%s %d\n", curpsinfo->pr_fname, curlwpsinfo->pr_lwpid == tid);
	exit(0);
}
