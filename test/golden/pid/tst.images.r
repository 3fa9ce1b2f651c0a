== as usual
image: 100 9900
== -no-pie
image: 100 9900
== -static
image: 100 9900
== -static-pie
image: 100 9900
== -rdynamic -s
image: 100 9900
== narrow
narrow: 320004950 5450
== deleted
deleted

== in namespaces
inside

