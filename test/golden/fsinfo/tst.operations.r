
close from 2 times, 0 bytes
close to 2 times, 0 bytes
fsync to 1 times, 0 bytes
open from 1 times, 0 bytes
open to 1 times, 0 bytes
read from 4 times, 70000 bytes
seek from 1 times, 0 bytes
write to 3 times, 70000 bytes
wrong 0
  note: it has read, write, open, close, fsync, seek, ioctl, readdir, space and map, by system calls; for operations on paths use the system calls, for operations of the kernel its functions (fbt::vfs_*:)
  note: it has read, write, open, close, fsync, seek, ioctl, readdir, space and map, by system calls; for operations on paths use the system calls, for operations of the kernel its functions (fbt::vfs_*:)
