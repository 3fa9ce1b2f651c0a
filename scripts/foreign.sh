# SPDX-License-Identifier: Apache-2.0
# Debian's packages of another architecture, unpacked into a folder and not installed. Sourced by bash after packages.sh.
#
# The packages come with apt from the archive this machine is configured for, the release's own suites and its backports; apt
# checks them against the archive's signature. apt's state for them lies in a folder of the caller's, so the machine's own is
# not touched.

# foreign_apt FOLDER ARCHITECTURE: from here on apt works for the architecture, with its state in the new folder.
foreign_apt() {
  local work=$1 architecture=$2
  mkdir -p "$work"/{lists/partial,cache/archives/partial,root/usr/{bin,lib,sbin}}
  apt-get indextargets --format 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(RELEASE) $(COMPONENT)|$(ORIGIN)' \
    'Created-By: Packages' 2>/dev/null | sed -n 's/|Debian.*//p' | sort -u >"$work/sources.list"
  [ -s "$work/sources.list" ] || die "no package source of Debian is configured"
  touch "$work/status"
  cat >"$work/apt.conf" <<END
APT::Architecture "$architecture";
APT::Architectures "$architecture";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "2";
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State "$work";
Dir::State::Lists "$work/lists";
Dir::State::Status "$work/status";
Dir::Cache "$work/cache";
Dir::Cache::archives "$work/cache/archives";
END
  export APT_CONFIG=$work/apt.conf
  step "reading the lists of $architecture packages"
  quietly "$architecture-update" apt update || die "the lists of $architecture packages could not be read"
}

# foreign_libbpf ARCHITECTURE: the version of libbpf that dtrace needs.
foreign_libbpf() {
  local version
  version=$(libbpf_candidate)
  [ -n "$version" ] || die "no package source has libbpf-dev ${libbpf_wanted#*:} or later for $1"
  echo "$version"
}

# foreign_unpack FOLDER PACKAGE...: puts the packages and what they depend on into FOLDER/root.
foreign_unpack() {
  local work=$1 folder package
  shift
  step "fetching packages"
  quietly "foreign-fetch" apt install --download-only --no-install-recommends "$@" || die "the packages could not be fetched"
  step "unpacking packages"
  for folder in bin lib sbin; do ln -s "usr/$folder" "$work/root/$folder"; done
  for package in "$work"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" |
      tar -x -C "$work/root" --no-same-owner --keep-directory-symlink --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' \
        --exclude='./usr/share/locale/*' --exclude='./dev/*'
  done
  rm -rf "$work/cache" "$work/lists"
}
