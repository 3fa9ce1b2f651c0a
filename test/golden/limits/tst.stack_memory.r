== 150 MB
status 0
rows are shown
all accounted for
== 100 MB
status 0
rows are shown
all accounted for
== 60 MB
status 0
rows are shown
all accounted for
files without symbols are counted
