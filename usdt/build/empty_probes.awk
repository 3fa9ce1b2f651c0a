# SPDX-License-Identifier: Apache-2.0
# The header of a provider definition file without probes in it: for systems that have no dtrace. Takes plain files, with
# a provider's or a probe's name on the line of its keyword.
/^[ \t]*provider[ \t]/ {
  provider = toupper($2)
  sub(/\{.*/, "", provider)
}
/^[ \t]*probe[ \t]/ {
  name = $0
  sub(/^[ \t]*probe[ \t]+/, "", name)
  sub(/[^A-Za-z0-9_].*/, "", name)
  gsub(/__/, "_", name)
  name = provider "_" toupper(name)
  print "#define " name "(...) ((void) 0)"
  print "#define " name "_ENABLED() (0)"
}
