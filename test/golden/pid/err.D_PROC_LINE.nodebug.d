/* SPDX-License-Identifier: Apache-2.0 */
/* @@trigger: calls 1 */

pid$target:a.out:nosuch.c@1:line {
  exit(0);
}
