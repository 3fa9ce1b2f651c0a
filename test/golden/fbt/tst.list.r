fbt vmlinux vfs_read entry
fbt vmlinux vfs_read return
ok: rawfbt has tens of thousands of functions
ok: some with a suffix
ok: each with an entry and a return
ok: fbt has no suffixes
ok: fbt has nothing that rawfbt has not
ok: a list of what is forbidden is there
ok: nothing forbidden is listed
dtrace: failed to match fbt::no_such_function:: No probe matches description
  note: the kernel has no function no_such_function: it is misspelt, or the compiler has inlined it
