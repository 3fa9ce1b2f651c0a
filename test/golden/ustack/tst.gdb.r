python3: 40 of 40 equal
perl: 40 of 40 equal
