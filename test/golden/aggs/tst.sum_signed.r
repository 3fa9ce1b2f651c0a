total -4

