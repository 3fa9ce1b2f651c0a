# Errors, coroutines, traces and children.
set caught 0
for {set n 0} {$n < 20} {incr n} { if {[catch { if {$n % 2} { error $n } } message]} { incr caught $message } }
puts $caught
proc numbers {} { yield; for {set i 0} {$i < 5} {incr i} { yield [expr {$i * $i}] }; error ended }
coroutine next numbers
puts "[next] [next] [next]"
next; next
puts [catch next message]:$message
puts [lsort -command {apply {{a b} { expr {$b - $a} }}} {3 1 2}]
puts [regsub -all {\d+} a1b22 {<&>}]
try { throw {A B} text } trap {A} {m} { puts "trapped $m" } finally { puts finally }
puts [exec echo from a child]
trace add variable x write {apply {args { puts traced }}}
set x 1
proc down n { expr {1 + [down [incr n]]} }
puts [catch { down 0 } message]:$message
after 1 { set done 1 }
vwait done
exit 5
