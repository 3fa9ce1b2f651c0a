42 15 2 from a header 16
1 6
here

