== deleted, and replaced
new 2
old 3
== deleted, and gone
new 1
old 2
== in another mount namespace
inside 3
new 4
== not there at the start
2
