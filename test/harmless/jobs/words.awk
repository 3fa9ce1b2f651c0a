function depth(n) { return n ? 1 + depth(n - 1) : 0 }
{ sum += $1; count[substr($1, 1, 1)]++ }
/7$/ { seven++ }
END {
  for (i = 1; i < 10; i++) printf "%d:%d ", i, count[i]
  print sum, seven, depth(40), toupper("abc"), sprintf("%5.2f", sum / NR), match("xxaby", /a.*y/)
  "echo from a child" | getline line
  print line
  n = split("a b c", parts); print parts[n], system("exit 3")
  exit 5
}
