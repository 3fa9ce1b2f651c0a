12 files are gone
one of them was executed again
one was deleted, and executed

70 sites, 14 calls

