/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of two threads on one CPU preempt each other, and neither sees the other's strings.
 */
/* @@trigger: rivals 100000 */
/* @@runtest-opts: -q */

pid$target:a.out:named:entry {
  this->name = strjoin(copyinstr(arg0), "/");
  @[substr(this->name, 0, 4), substr(this->name, strlen(this->name) - 4), arg1] = count();
}
