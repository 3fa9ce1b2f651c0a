since the beginning as expected
normalised as expected
since clear as expected
whole as expected
