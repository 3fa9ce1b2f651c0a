== all of it
== one key, one cell
== an empty page
