/* SPDX-License-Identifier: Apache-2.0 */

pid0:a.out:main:entry {
  exit(0);
}
