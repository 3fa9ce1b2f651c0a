== search and zoom by link
== by hand
== pictures
== comparison
== what was lost, and pages that are odd
