43 42 some.name 17
42         17
some.name  42
some.name is 9 long: 1

