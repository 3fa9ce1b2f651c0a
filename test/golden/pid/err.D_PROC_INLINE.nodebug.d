/* SPDX-License-Identifier: Apache-2.0 */
/* @@trigger: calls 1 */

pid$target:libc.so.6:nosuchfunction:inline {
  exit(0);
}
