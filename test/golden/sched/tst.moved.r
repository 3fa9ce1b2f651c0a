0 unexplained
moves 30..
