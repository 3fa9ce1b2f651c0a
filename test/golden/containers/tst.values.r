web /web web []
web 1 1
in web 1
1 1 1
1
web
== on the host
[] global [] 1 1 1

