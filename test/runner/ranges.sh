# SPDX-License-Identifier: Apache-2.0
# For golden scripts whose numbers depend on the machine; sourced. Such a script prints the number, and not only whether it is
# right: so the difference of a failure shows the range and the number.

# ranges 'NAME LOW..HIGH'...: a filter. A number after NAME that is in its range becomes the range, which is what the .r file has;
#   of any other one the filter says what it should be. `LOW..` and `..HIGH` are open.
#   A script whose status counts says `set -o pipefail`.
#
#     echo "naps 23 in 7 ms" | ranges 'naps 20..' 'in 0..5'       naps 20.. in 7, not 0..5 ms
ranges() {
  ranges_wanted=$(printf '%s\n' "$@") awk '
    function fail(rule) { print "ranges: `" rule "` is not NAME LOW..HIGH" >"/dev/stderr"; exit 2 }
    BEGIN {
      rules = split(ENVIRON["ranges_wanted"], rule, "\n")
      for (i = 1; i <= rules; i++) {
        if (rule[i] !~ /^.+ (-?[0-9.]*[0-9]\.\.|\.\.-?[0-9]|-?[0-9.]*[0-9]\.\.-?[0-9])[0-9.]*$/) fail(rule[i])
        match(rule[i], / [^ ]*$/)
        name[i] = substr(rule[i], 1, RSTART - 1)
        range[i] = substr(rule[i], RSTART + 1)
        low[i] = high[i] = range[i]
        sub(/\.\..*/, "", low[i])
        sub(/.*\.\./, "", high[i])
      }
    }
    {
      for (i = 1; i <= rules; i++) {
        begin = index(" " $0, " " name[i] " ")
        if (!begin) continue
        begin += length(name[i]) + 1
        rest = substr($0, begin)
        if (!match(rest, /^-?[0-9]+(\.[0-9]+)?/) || substr(rest, RLENGTH + 1, 1) ~ /[A-Za-z0-9_]/) continue
        number = substr(rest, 1, RLENGTH)
        is_in = (low[i] == "" || number + 0 >= low[i] + 0) && (high[i] == "" || number + 0 <= high[i] + 0)
        $0 = substr($0, 1, begin - 1) (is_in ? range[i] : number ", not " range[i]) substr(rest, RLENGTH + 1)
      }
      print
    }'
}
