12 files are gone
two of them were executed again
one was deleted, and executed

75 sites, 15 calls

