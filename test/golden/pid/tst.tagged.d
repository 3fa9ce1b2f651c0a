/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pointers with a tag in the top byte lead to what they point to, whichever way user memory is read or written, with
 * programs that may sleep and others. The arguments of probes keep the tag.
 */
/* @@trigger: tagged */
/* @@runtest-opts: -q -w */

pid$target:a.out:take:entry {
  this->bytes = (char *)copyin(arg0, 4);
  printf("%x: %s %s %x %c %s %c%c\n", arg0 >> 56, copyinstr(arg0), stringof((userland char *)arg0), *(userland int *)arg1,
      *(userland char *)arg0, memstr((userland char *)arg0, ' ', 5), this->bytes[1], this->bytes[2]);
}

pid$target:a.out:take:entry {
  copyoutstr("/dev/zero", arg0, 10);
}

syscall::openat:entry
/pid == $target && arg1 >> 56 == 0x2a/ {
  printf("opens %s\n", copyinstr(arg1));
}
