dtrace: pidN:partly:partly.c@2:line is set, but not at every instruction that begins it: the kernel cannot step over an instruction with its prefix
1
