22 probes listed
raised ArgumentError at prog.rb:6
String#upcase called at line 20
Calc#fail_on prog.rb:6 1
Calc#add prog.rb:3 7
fail_on returned 1 times
add returned 7 times
arrays at prog.rb:19 3
