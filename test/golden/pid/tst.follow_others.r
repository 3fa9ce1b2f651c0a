ready
first 500, second 500, library 50

inside 500, library 50

== too many
dtrace: -x follow=fork follows the children of 64 processes at most
