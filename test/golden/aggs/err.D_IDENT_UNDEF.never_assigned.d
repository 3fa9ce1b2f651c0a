/* ASSERTION: an aggregation that no clause assigns is unknown. */
END { printa(@nosuch); }
BEGIN { @calls = count(); }
