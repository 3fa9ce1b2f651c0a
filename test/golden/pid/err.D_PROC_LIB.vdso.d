/* SPDX-License-Identifier: Apache-2.0 */
/* @@trigger: calls 1 */

pid$target:linux-vdso.so.1:clock_gettime:entry {
  exit(0);
}
