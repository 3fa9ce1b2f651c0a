517 probes listed
loaded, 18 letters
1: java/lang/Shutdown.<clinit>()V
1: java/lang/Shutdown.exit(I)V
1: java/lang/Shutdown.beforeHalt()V
1: java/lang/Shutdown.runHooks()V
1: java/lang/Shutdown.halt(I)V
1: java/lang/Shutdown.halt0(I)V
shut down
