all of them

