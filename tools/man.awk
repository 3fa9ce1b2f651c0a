# SPDX-License-Identifier: Apache-2.0
# Writes the manual page of a tool from the first comment of its script: awk -f man.awk opensnoop.d >opensnoop.d.8
# dtrace-tool says what the lines of that comment are.

function escaped(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  sub(/^[.']/, "\\\\\\&&", text)
  return text
}

# A word of a macro's line; quoted, so that no word of it is taken for a macro.
function word(text) {
  gsub(/"/, "\"\"", text)
  return "\"" escaped(text) "\""
}

function split_fields(text,    n) {
  n = split(text, part, / *\| */)
  sub(/^ */, "", part[1])
  return n
}

function item(flag, argument, text) {
  print ".It" (flag == "" ? "" : " Fl " escaped(flag)) (argument == "" ? "" : " Ar " word(argument))
  print escaped(text)
}

function common(option, argument, text) {
  if (index(" " filters " ", " -" option " ")) item(option, argument, text)
}

BEGIN { described = 0 }
/\*\// && summary != "" { exit }
FNR == 1 { tool = FILENAME; sub(/.*\//, "", tool) }
index($0, " * " tool ": ") == 1 { summary = substr($0, length(tool) + 6); next }
summary == "" { next }
{ line = substr($0, 4) }
line ~ /^filters: / { filters = substr(line, 10); next }
line ~ /^needs: / { needs = substr(line, 8); next }
line ~ /^option: / { options[++n_options] = substr(line, 9); next }
line ~ /^operand: / { operand = substr(line, 10); next }
line ~ /^column: / { columns[++n_columns] = substr(line, 9); next }
line ~ /^example: / { examples[++n_examples] = substr(line, 10); next }
line == "" { if (n_text && text[n_text] != ".Pp") text[++n_text] = ".Pp"; next }
{ text[++n_text] = escaped(line) }

END {
  sub(/\.$/, "", summary)
  print ".\\\" SPDX-License-Identifier: Apache-2.0"
  print ".Dd November 25, 2026\n.Dt " toupper(tool) " 8\n.Os Linux\n.Sh NAME\n.Nm " tool "\n.Nd " escaped(summary) " (dtrace)"
  print ".Sh SYNOPSIS\n.Nm"
  for (i = 1; i <= n_options; i++) {
    split_fields(options[i])
    split(part[1], flag, /[ =]/)
    print ".Op Fl " escaped(substr(flag[1], 2)) (flag[2] == "" ? "" : " Ar " flag[2])
  }
  arguments = "p pid n name c command g cgroup i seconds"
  n = split(arguments, pair, " ")
  for (i = 1; i < n; i += 2)
    if (index(" " filters " ", " -" pair[i] " ")) print ".Op Fl " pair[i] " Ar " pair[i + 1]
  print ".Op Fl t Ar seconds\n.Op Fl j\n.Op Fl -record Ns = Ns Ar file | Fl -replay Ns = Ns Ar file"
  if (operand != "") { split_fields(operand); print ".Ar " word(part[1]) }
  print ".Nm\n.Fl h | \\-help | \\-version"

  print ".Sh DESCRIPTION\n.Nm\n" escaped(shown(summary)) "."
  while (n_text && text[n_text] == ".Pp") n_text--
  if (n_text) print ".Pp"
  for (i = 1; i <= n_text; i++) print text[i]
  print ".Pp\nIt is a D script for\n.Xr dtrace 8 ,\nand needs the same privileges."
  if (needs != "") print "One of\n.Fl p\nand\n.Fl c\nhas to be given."
  if (operand != "") {
    split_fields(operand)
    print ".Bl -tag -width Ds"
    item("", part[1], capital(part[2]) ".")
    print ".El"
  }
  print ".Pp\nThe options are:\n.Bl -tag -width Ds"
  for (i = 1; i <= n_options; i++) {
    split_fields(options[i])
    preset = part[1]
    if (!sub(/.*=/, "", preset)) preset = ""
    split(part[1], flag, /[ =]/)
    item(substr(flag[1], 2), flag[2], capital(part[3]) (preset == "" ? "." : " (default " preset ")."))
  }
  common("p", "pid", "Trace this process, and end when it ends.")
  common("n", "name", "Trace threads with this name, of which the kernel keeps 15 bytes.")
  common("c", "command", "Run this command, trace it and its children, and end when it ends.")
  common("g", "cgroup", "Trace the processes of this control group (version 2) and of those below it, by its path.")
  if (filters ~ /-g/)
    print ".It Fl -container Ns = Ns Ar name , Fl -pod Ns = Ns Ar namespace Ns / Ns Ar name , Fl -unit Ns = Ns Ar name\n" \
      "Trace the processes of a container, of a pod of Kubernetes, of a service."
  common("i", "seconds", "Print the results every so many seconds, and begin anew; without it, print them once at the end.")
  item("t", "seconds", "End after so long; without it, at Ctrl-C.")
  item("j", "", "Print lines of JSON, as dtrace -x format=json does: values are in the order of the columns.")
  print ".It Fl -record Ns = Ns Ar file\nRecord what the tool reads, and print nothing."
  print ".It Fl -replay Ns = Ns Ar file\nPrint what the tool would have printed when that was recorded.\nNeeds no privileges."
  print ".El\n.Pp\nSeveral of\n.Fl p , n , c\nand\n.Fl g\nselect what all of them do."
  if (n_columns) {
    print ".Pp\nThe columns are:\n.Bl -tag -width \"P50(us), P99(us)\""
    for (i = 1; i <= n_columns; i++) {
      split_fields(columns[i])
      print ".It " word(part[1]) "\n" escaped(capital(part[2])) "."
    }
    print ".El"
  }
  print ".Sh EXIT STATUS\n0 at Ctrl\\-C, after\n.Fl t ,\nand when the process of\n.Fl p\nor\n.Fl c\nhas ended;"
  print "1 if tracing is not possible; 2 if the command line is wrong."
  if (n_examples) print ".Sh EXAMPLES"
  for (i = 1; i <= n_examples; i++) {
    split_fields(examples[i])
    print escaped(capital(part[2])) ":\n.Pp\n.Dl # " escaped(part[1])
    if (i < n_examples) print ".Pp"
  }
  print ".Sh SEE ALSO\n.Xr dtrace 8"
}

function capital(text) { return toupper(substr(text, 1, 1)) substr(text, 2) }

# "show files" -> "shows files"
function shown(text) { sub(/^[a-z]+/, "&s", text); return text }
