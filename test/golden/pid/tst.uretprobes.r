the program says 42
pid*, both:
42
42
pid$target, with an unwinder, and a pragma:
42
