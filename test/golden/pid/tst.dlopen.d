/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library that is loaded while tracing runs.
 */
/* @@trigger: dlopens */
/* @@runtest-opts: -qZ */

pid$target:libm.so.6:cbrt:entry {
  printf("%s %s %s\n", probemod, probefunc, probename);
  exit(0);
}
