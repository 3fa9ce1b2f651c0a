printf("%d\n", arg0 != 0);
  opened 0
  1
x = arg0; self->y = curpsinfo->pr_nlwp; printf("%d %s\n", self->y, execname);
  opened 0
  1 prog
printf("%d\n", *(int *)copyin(arg0, sizeof (int)));
  opened 0
  3
printf("%d\n", (uint32_t)arg0 == 0);
  opened 0
  0
printf("%d\n", args[0]->y);
  opened 1
  5
printf("%d\n", ((struct point *)arg0)->x);
  opened 1
  3
