/* SPDX-License-Identifier: Apache-2.0 */
/* @@trigger: redzone 1 */

pid$target:a.out:red_zone:5 {
  exit(0);
}
