two greatest
bee 3 30
dog 1 40
the same, greatest first
dog 1 40
bee 3 30
two least
ant 4 10
cat 2 20
none
more than there are
ant 4 10
cat 2 20
bee 3 30
dog 1 40
three greatest by key
bee 3 30
cat 2 20
dog 1 40
by the second key
dog 1 40
cat 2 20
bee 3 30
ant 4 10
backwards
dog 1 40
cat 2 20
bee 3 30
ant 4 10
joined, by the first
bee 3 30 5
dog 1 40 0
joined, by the second
ant 4 10 7
cat 2 20 6
joined, two least
dog 1 40 0
eel 9 0 1
without a format
  dog                                                       1               40
aggsortrev
dog 1 40
bee 3 30
all
dog 1 40
bee 3 30
cat 2 20
ant 4 10

