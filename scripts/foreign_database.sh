# SPDX-License-Identifier: Apache-2.0
# What dpkg knows of packages that scripts/foreign.sh unpacked. dpkg-shlibdeps finds there which package a library is of, and
# from which version on it has a symbol. Sourced by bash.

# foreign_fetch FOLDER PACKAGE...: what foreign_unpack fetches, which then finds it fetched: FOLDER/cache/archives/*.deb.
foreign_fetch() {
  step "fetching packages"
  quietly foreign-fetch apt install --download-only --no-install-recommends "${@:2}" || die "the packages could not be fetched"
}

# write_database ROOT DEB...: ROOT/var/lib/dpkg, as if the packages were installed in ROOT. Files of /lib are listed in /usr/lib,
# where they lie.
write_database() {
  local folder=$1/var/lib/dpkg deb name
  shift
  mkdir -p "$folder/info" "$folder/updates"
  echo 1 >"$folder/info/format" # names of files have the architecture
  for deb in "$@"; do
    dpkg-deb -f "$deb" | sed 's/^Package: .*/&\nStatus: install ok installed/'
    echo
    name=$(dpkg-deb -f "$deb" Package)
    [ "$(dpkg-deb -f "$deb" Multi-Arch)" != same ] || name+=:$(dpkg-deb -f "$deb" Architecture)
    dpkg-deb --fsys-tarfile "$deb" | tar -t | sed -E 's|^\.||; s|/$||; s|^/lib/|/usr/lib/|' | grep . >"$folder/info/$name.list"
    dpkg-deb --ctrl-tarfile "$deb" | tar -x -C "$folder/info" --wildcards --transform "s|^\./|$name.|" './sh*libs' './symbols' 2>/dev/null || true
  done >"$folder/status"
}

# database_of_root ROOT FOLDER: a copy in the new FOLDER in which files have their paths on this machine. DPKG_ADMINDIR names it.
database_of_root() {
  local list
  mkdir -p "$2"
  cp -r "$1/var/lib/dpkg/." "$2/"
  for list in "$2"/info/*.list; do sed -i "s|^/|$1/|" "$list"; done
}
