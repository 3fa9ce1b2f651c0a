/dev
/dev/
/dev/null 9
an error
