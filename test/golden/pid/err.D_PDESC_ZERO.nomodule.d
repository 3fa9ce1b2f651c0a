/* SPDX-License-Identifier: Apache-2.0 */
/* @@trigger: calls 1 */

pid$target:libnosuch.so:f:entry {
  exit(0);
}
