printf("%d\n", arg0 != 0);
  opened 0
  1
