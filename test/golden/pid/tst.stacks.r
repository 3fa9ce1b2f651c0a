== ordinary
./ordinary: 15225; leaf by return
leaf 30 thrower 15 
leaf 30 thrower 15 
== throws
./throws: caught 20, cleaned 40, sum 20; leaf by ret
caller 20 leaf 20 
caller 20 leaf 20 
== signal_stack
./signal_stack: handled 20; leaf by ret
leaf 20 other 20 
leaf 20 other 20 
== coroutines
./coroutines: sum 231; yields by ret
other 31 yields 20 
other 31 yields 20 
