== namespaces: ipc
path /web 1000
no pid here 0, own 1: 1000
name web 1000
== namespaces: ipc pid
path /web 1000
no pid here 1, own 1: 1000
