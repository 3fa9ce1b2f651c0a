places visit entry
 args[0]: userland node_t * (n: rdi)
 args[1]: enum color (wanted: rsi)
 args[2]: userland const char * (label: rdx)
places visit return
 args[0]: uint64_t
 args[1]: uint64_t
places by_value entry
 args[0]: struct pair (p: rdi and rsi)
 args[1]: struct large (big: at rsp+8)
 args[2]: int (last: rdx)
places floats entry
 args[0]: int (before: rdi)
 args[1]: double (weight: it is in a floating-point or vector register, which the kernel does not show to probes)
 args[2]: double (ratio: it is in a floating-point or vector register, which the kernel does not show to probes)
 args[3]: int (after: rsi)
places mixing entry
 args[0]: struct mixed (m: it is in a floating-point or vector register, which the kernel does not show to probes)
 args[1]: int (after: rsi)
places many entry
 args[0]: int (a: rdi)
 args[1]: int (b: rsi)
 args[2]: int (c: rdx)
 args[3]: int (d: rcx)
 args[4]: int (e: r8)
 args[5]: int (f: r9)
 args[6]: int (g: at rsp+8)
 args[7]: long (h: at rsp+16)
 args[8]: signed char (i: at rsp+24)
 args[9]: short (j: at rsp+32)
places nothing entry
 args[0]: userland void (*)() (callback: rdi)
 args[1]: userland int (*)[3] (rows: rsi)
== values
by_value args[1].words[4]: 50
by_value args[2]: 33
mixing args[0].count: [D_ARGS_PLACE] in action list: the value of args[0] is not available in pidN:a.out:mixing:entry: it is in a floating-point or vector register, which the kernel does not show to probes
mixing args[1]: 5
many args[8]: -9
many args[9]: 10
