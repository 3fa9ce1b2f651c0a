/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry and return of functions, with their arguments and values, counted by a program that knows.
 */
/* @@trigger: calls 100 */
/* @@runtest-opts: -q */

pid$target:a.out:twice:entry {
  @calls["twice"] = count();
  @args["twice arg0"] = sum(arg0);
  self->i = arg0 + 1;
}

pid$target:calls:twice:return
/self->i/ {
  @good["values that are twice the argument"] = sum(arg1 == 2 * (self->i - 1) ? 1 : 0);
  self->i = 0;
}

pid$target::describe:entry {
  @calls["describe"] = count();
  @args["describe arg1"] = sum(arg1);
}

pid$target::describe:entry
/arg1 == 99/ {
  printf("%s:%s:%s %s %d %d %d %d %d %d %d\n", probemod, probefunc, probename, copyinstr(arg0), arg1, arg2, arg3, arg4,
         arg5, arg6, arg7);
}

pid$target:calls:describe:return
/arg1 == 99 + 27/ {
  printf("%s:%s %d\n", probefunc, probename, arg1);
}
