== rustc 
equal
== rustc -O
equal
