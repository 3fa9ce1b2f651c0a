/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A string in pages that nobody has touched yet, across the boundary of two.
 */
/* @@trigger: cold */
/* @@runtest-opts: -q */

pid$target:a.out:show:entry {
  printf("%s\n", copyinstr(arg0));
}
