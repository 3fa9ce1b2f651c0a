from stdin 2

limit 3

5 word

