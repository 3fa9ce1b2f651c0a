-- a jump out of a frame that was given back
0

-- one of a list
dtrace: warning: [D_PROC_CREATEFAIL] failed to create a return probe in 'frameless': not all the instructions that leave it can be probed, and neither exceptions nor coroutines survive the kernel's return probe; the other probes of the list are traced
framed

-- alone
dtrace: invalid probe specifier pid$target:a.out:frameless:return { exit(0); }: [D_PROC_CREATEFAIL] failed to create a return probe in 'frameless': not all the instructions that leave it can be probed, and neither exceptions nor coroutines survive the kernel's return probe
status 1
