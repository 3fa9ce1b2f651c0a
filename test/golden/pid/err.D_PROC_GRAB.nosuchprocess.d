/* SPDX-License-Identifier: Apache-2.0 */

pid4194305:a.out:main:entry {
  exit(0);
}
