/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All threads of the process, and not its child.
 */
/* @@trigger: forks 250 */
/* @@runtest-opts: -q */

pid$target:a.out:shared:entry {
  @ = count();
}

END {
  printa("%@d\n", @);
}
