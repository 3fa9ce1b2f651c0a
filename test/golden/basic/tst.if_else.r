big
seven
not negative

