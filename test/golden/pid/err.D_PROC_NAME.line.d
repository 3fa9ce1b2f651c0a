/* SPDX-License-Identifier: Apache-2.0 */
/* @@trigger: calls 1 */

pid$target:a.out:main:line {
  exit(0);
}
