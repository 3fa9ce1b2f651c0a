web 1 1 1
web 3 1 1
== nobody
dtrace: invalid probe specifier pid$target:::entry: invalid probe description "pid$target:::entry": Undefined macro variable in probe description: $target is the process of -c or -p
  1 | pid$target:::entry
    | ^~~~~~~~~~~~~~~~~~
