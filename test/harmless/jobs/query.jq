[.. | numbers], (try error("x") catch .), (.a | map(try (. + 1) catch "no")), ([limit(5; repeat(1))] | add), (label $out | 1, break $out, 2),
reduce range(20) as $i (0; . + $i), (.a[2].b | test("^x")), ([range(10)] | map(select(. % 3 == 0)))
