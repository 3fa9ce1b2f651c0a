some 50
all: more or as many
a variable decides: more or as many
status 3 rows 1
status 0
rows until the end
