entry many, return many, -no-pie
entry many, return many, -Wl,-z,lazy
2 word
leaps 5 child 7 marks 4
caller main next found
sorted 1 2 3
status 2
== where they are left
_setjmp 2
caller 1
compare 3
leaps 1
mark 1
next_puts 1
== has no return address
failed to create a return probe in '_start': it does not return
