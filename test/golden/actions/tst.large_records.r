== a long string
dtracelong
== many clauses
400 clauses

== what no buffer holds
dtrace: could not enable tracing: Enabling exceeds size of buffer (a record has 1048616 bytes, the buffer 524288)
