/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A return probe tells the offset of the return instruction and the value.
 */
/* @@trigger: calls 3 */
/* @@runtest-opts: -q */

pid$target:a.out:twice:return {
  printf("%s returns %d, from inside: %d\n", probefunc, arg1, arg0 > 0 && arg0 < 100);
}
