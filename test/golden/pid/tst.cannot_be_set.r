dtrace: description 'pid$target:a.out:odd_*:return ' matched 3 probes
dtrace: pid$target:program:odd_exit:return and 1 other cannot be set: not all the instructions that leave it can be probed, and neither exceptions nor coroutines survive the kernel's return probe
caught
dtrace: pid N has exited
odd_nop 1
dtrace: description 'pid$target:a.out:odd_nop*: ' matched 5 probes
dtrace: pid$target:program:odd_nop:1 cannot be set: the kernel would turn its 5-byte NOP into a call, which overwrites stack memory that the function may use
caught
dtrace: pid N has exited
dtrace: invalid probe specifier: failed to create a return probe in 'odd_exit': not all the instructions that leave it can be probed, and neither exceptions nor coroutines survive the kernel's return probe
  1 | pid$target:a.out:odd_exit:return { }
    | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
odd_nop return
odd_thrower return
