#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The backports suite is derived from whatever form the configured package source has.
# usage: backports_source.sh SOURCE_FOLDER
set -u
. "$1/scripts/common.sh"
. "$1/scripts/packages.sh"
failed=0

# expect WHAT WANTED GOT
expect() {
  [ "$2" = "$3" ] && return
  printf '%s\n-- wanted --\n%s\n-- got --\n%s\n' "$1" "$2" "$3"
  failed=1
}

expect "deb822: first paragraph of the release, options kept, comments and other suites dropped" \
  'Types: deb
Suites: bookworm-backports
Components: main
URIs: mirror+file:/etc/mirrors.list
Signed-By: /usr/share/keyrings/archive.gpg' \
  "$(backports_of_deb822 bookworm <<'TEXT'
# a comment
Types: deb deb-src
URIs: http://security.invalid/debian
Suites: bookworm-security
Components: main
Signed-By: /usr/share/keyrings/security.gpg

Types: deb deb-src
# another
URIs: mirror+file:/etc/mirrors.list
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /usr/share/keyrings/archive.gpg
TEXT
  )"

expect "deb822: values over several lines, an embedded key" \
  'Types: deb
Suites: bookworm-backports
Components: main
URIs: http://one.invalid/debian
 http://two.invalid/debian
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 AAAA' \
  "$(backports_of_deb822 bookworm <<'TEXT'
Types: deb
URIs: http://one.invalid/debian
 http://two.invalid/debian
Suites: bookworm-updates
 bookworm
Components:
 main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 AAAA
TEXT
  )"

expect "deb822: disabled, source-only and third-party paragraphs are no base" '' \
  "$(backports_of_deb822 bookworm <<'TEXT'
Enabled: no
Types: deb
URIs: http://a.invalid
Suites: bookworm
Components: main

Types: deb-src
URIs: http://b.invalid
Suites: bookworm
Components: main

Types: deb
URIs: http://c.invalid
Suites: bookworm
Components: third-party
TEXT
  )"

expect "one line: options and URI kept" \
  'deb [arch=amd64 signed-by=/usr/share/keyrings/a.gpg] http://a.invalid/debian bookworm-backports main' \
  "$(backports_of_lines bookworm <<'TEXT'
# deb http://comment.invalid/debian bookworm main
deb cdrom:[Debian 12]/ bookworm main
deb-src http://a.invalid/debian bookworm main
deb http://security.invalid bookworm-security main
deb [arch=amd64 signed-by=/usr/share/keyrings/a.gpg]	http://a.invalid/debian  bookworm contrib main # yes
deb http://b.invalid/debian bookworm main
TEXT
  )"

expect "one line: nothing fits" '' "$(echo 'deb http://a.invalid trixie main' | backports_of_lines bookworm)"

# The whole step, in a folder that stands for /etc/apt.
APT_ETC=$(mktemp -d)
trap 'rm -rf "$APT_ETC"' EXIT
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
mkdir "$APT_ETC/sources.list.d"
enable_backports 2>/dev/null && expect "no source to derive from" failure success
echo "deb http://a.invalid/debian $codename main" >"$APT_ETC/sources.list"
enable_backports
expect "one-line source file" "deb http://a.invalid/debian $codename-backports main" \
  "$(cat "$APT_ETC/sources.list.d/dtrace-backports.list")"

# Only what is not installed is asked for; the packages of this machine decide, so only two certain answers are used.
expect "missing: an installed package and one that cannot be" 'no-such-package-anywhere' \
  "$(missing dpkg no-such-package-anywhere)"
exit $failed
