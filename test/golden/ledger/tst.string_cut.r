ca, cut: 1
cat, cut: 0
abcdefg, cut: 1
abcdefgh, cut: 0
each open: yes
opens, cut: 0
opens, cut: 0
