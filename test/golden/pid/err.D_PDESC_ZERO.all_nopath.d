/* SPDX-License-Identifier: Apache-2.0 */
pid*:/usr/lib/nosuchlibrary.so:f:entry {
  exit(0);
}
