0 unexplained
many moves
