# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that want sources of the distribution, [-d DTRACE] [-w FOLDER] PACKAGE..., with $here set to this
# folder. Leaves the packages as arguments, a folder for all that is made in $work, and our dtrace before any other in PATH;
# and has apt_source and fetch.
dtrace=$here/../../build/release/bin/dtrace
work=$(mktemp -d -t dtrace-sources.XXXXXX)
while getopts d:w: flag; do
  case $flag in
    d) dtrace=$OPTARG ;;
    w) work=$OPTARG ;;
    *) echo "usage: $0 [-d DTRACE] [-w FOLDER] PACKAGE..." >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
mkdir -p "$work/bin"
install -m755 "$dtrace" "$work/bin/dtrace"
export PATH=$work/bin:$PATH

# Package sources are those that are configured, with sources instead of binaries; the system's lists stay as they are.
mkdir -p "$work/apt/lists/partial" "$work/apt/sources.d"
for file in /etc/apt/sources.list.d/*.sources; do
  [ -e "$file" ] && sed 's/^Types:.*/Types: deb-src/' "$file" >"$work/apt/sources.d/$(basename "$file")"
done
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -e "$file" ] && sed -n 's/^deb /deb-src /p' "$file" >"$work/apt/sources.d/$(basename "$file" .list).list"
done
# What the mirror has lost of this release is taken of the newest.
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -E '^(URIs:|deb )' | grep -oE 'https?://[^ ]+' | head -1)
echo "deb-src $mirror stable main" >"$work/apt/sources.d/stable.list"
apt_source() {
  apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/apt/sources.d" \
    -o Dir::State::lists="$work/apt/lists" -o APT::Sandbox::User=root "$@"
}
fetch() { # PACKAGE [--download-only]: into the current folder
  local release
  # The newest version is not on every mirror; the release's own is, mostly.
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  for release in "$release-security" "$release-updates" "$release" stable; do
    apt_source source "${@:2}" "$1/$release" && return
    rm -rf ./*.orig*
  done
  return 1
}
apt_source update >"$work/update.log" 2>&1 || { tail -5 "$work/update.log"; exit 1; }
export work
export -f apt_source fetch
