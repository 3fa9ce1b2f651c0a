
status 3
one

two

here

elsewhere
status 1
