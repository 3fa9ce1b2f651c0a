/* SPDX-License-Identifier: Apache-2.0 */
/* @@trigger: calls 1 */

pid$target:a.out:twice:fffff {
  exit(0);
}
