text: equal
folded: equal
