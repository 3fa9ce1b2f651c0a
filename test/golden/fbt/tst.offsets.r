== counts
entry 100 first 100
inside
== registers
1 1 12345 100
== registers, where functions could call the program
1 100
single kprobes
== refused
dtrace: could not enable tracing: cannot probe the kernel's instruction: none begins at this offset, or the kernel takes no probe there
[D_PROC_OFF] offset 0xfffff is outside of function 'FUNCTION'
