# SPDX-License-Identifier: Apache-2.0
# The packages this tree needs, and how they get there. Sourced by bash after common.sh.
# A second call costs one dpkg-query: apt runs only when something is missing.

build_packages=(
  binutils ccache clang-19 cmake g++ git libcli11-dev libcurl4-gnutls-dev libdw-dev libelf-dev
  libfmt-dev libmicrohttpd-dev libprotozero-dev libxml2-dev libzstd-dev liblzma-dev xz-utils
  llvm-19-dev ninja-build nlohmann-json3-dev pkg-config zlib1g-dev
)
test_packages=(apache2-bin apache2-dev apache2-utils autoconf bash-completion bpfcc-tools bpftool bpftrace catch2 clang-format-19 crun
  debuginfod dwz fish gdb gnutls-bin libc6-dbg libc++-19-dev libc++abi-19-dev libclang-rt-19-dev libdebuginfod1 lld lua5.4 make meson
  php-cli postgresql procps python3-prometheus-client python3-pyte python3-yaml
  python3 python3-jsonschema python3-dbg qemu-user ruby runc strace valgrind zsh)
[ "$(uname -m)" != x86_64 ] || test_packages+=(gcc-multilib)
# For the tier `software`: large ones.
software_packages=(chromium golang-go libvirt-daemon mariadb-client-core mariadb-server-core default-jdk-headless prometheus)
# For the preset `aarch64`, of arm64: scripts/sysroot-aarch64 unpacks them, with a recent libbpf.
sysroot_packages=(catch2 libc6-dev libcli11-dev libcurl4-gnutls-dev libdw-dev libelf-dev libfmt-dev liblzma-dev
  libmicrohttpd-dev libprotozero-dev libstdc++-12-dev libxml2-dev libzstd-dev llvm-19-dev nlohmann-json3-dev zlib1g-dev)
vm_packages=(busybox-static cpio e2fsprogs nfs-kernel-server open-iscsi python3 xz-utils zstd) # test/vm: other kernels, with an emulator for each architecture
emulator_package() { case $1 in amd64) echo qemu-system-x86 ;; *) echo qemu-system-arm ;; esac; }
deb_packages=(build-essential debhelper dh-python dpkg-dev lintian) # scripts/packages-deb
cross_packages=(binutils-aarch64-linux-gnu lld qemu-user) # the same for arm64, on a PC

# libbpf 1.3 brought uprobe_multi; the epoch is Debian's.
libbpf_wanted=1:1.3

# missing PACKAGE...: those that are not installed, one a line.
missing() {
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii *//p')
  printf '%s\n' "$@" | grep -vxF -e "$installed" || true
}

libbpf_is_recent() {
  local version
  version=$(dpkg-query -W -f='${db:Status-Abbrev}${Version}' libbpf-dev 2>/dev/null | sed -n 's/^ii *//p')
  [ -n "$version" ] && dpkg --compare-versions "$version" ge "$libbpf_wanted"
}

# The newest libbpf-dev apt knows of that is recent enough; nothing if there is none.
libbpf_candidate() {
  local version
  apt-cache madison libbpf-dev | awk '{ print $3 }' | while read -r version; do
    if dpkg --compare-versions "$version" ge "$libbpf_wanted"; then
      echo "$version"
      break
    fi
  done
}

apt() {
  DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"
}

# Packages for tests that this release of Debian does not have, one a line: tests that need them are skipped.
lacking=$top/build/packages-lacking

# lack_for_tests PACKAGE...: notes those for tests that apt cannot get.
lack_for_tests() {
  local package
  for package in $(printf '%s\n' "$@" | grep -xF -e "$(printf '%s\n' "${test_packages[@]}" "${software_packages[@]}")"); do
    apt-cache policy "$package" | grep -q '^  Candidate: [^(]' || echo "$package"
  done >"$lacking"
  [ ! -s "$lacking" ] || echo "not in this release of Debian, what needs them is skipped: $(tr '\n' ' ' <"$lacking")" >&2
}

# need_packages PACKAGE...: installs what is missing, and a recent libbpf-dev.
need_packages() {
  command -v dpkg-query >/dev/null || return 0 # no Debian: cmake says what it does not find
  local wanted libbpf
  mapfile -t wanted < <(missing "$@" | grep -vxF -e "$(cat "$lacking" 2>/dev/null)")
  if [ ${#wanted[@]} = 0 ] && libbpf_is_recent; then
    return 0
  fi
  [ "$(id -u)" = 0 ] || die "packages are missing (${wanted[*]:-libbpf-dev >= ${libbpf_wanted#*:}}): run this as root once"

  step "reading the package lists"
  quietly apt-update apt update || return
  mkdir -p "$top/build"
  lack_for_tests "${wanted[@]}"
  mapfile -t wanted < <(printf '%s\n' "${wanted[@]}" | grep -vxF -e "$(cat "$lacking")" | grep .)
  if [ ${#wanted[@]} != 0 ]; then
    step "installing ${wanted[*]}"
    quietly apt-install apt install --no-install-recommends "${wanted[@]}" || return
  fi
  libbpf_is_recent && return
  libbpf=$(libbpf_candidate)
  if [ -z "$libbpf" ]; then
    enable_backports || return
    quietly apt-update-backports apt update || return
    libbpf=$(libbpf_candidate)
  fi
  [ -n "$libbpf" ] || die "no package source has libbpf-dev ${libbpf_wanted#*:} or later"
  step "installing libbpf-dev $libbpf"
  quietly apt-install-libbpf apt install --no-install-recommends "libbpf-dev=$libbpf" "libbpf1=$libbpf"
}

# Debian 12 has libbpf 1.1; its backports suite has a later one. The suite is served from where the release itself
# comes from, so its source is the configured one with another suite.
enable_backports() {
  local etc=${APT_ETC:-/etc/apt} codename
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  [ -n "$codename" ] || { echo "/etc/os-release names no release" >&2; return 1; }
  step "enabling $codename-backports"
  local file text
  for file in "$etc"/sources.list.d/*.sources; do
    [ -e "$file" ] || continue
    text=$(backports_of_deb822 "$codename" <"$file")
    if [ -n "$text" ]; then
      printf '%s\n' "$text" >"$etc/sources.list.d/dtrace-backports.sources"
      return
    fi
  done
  for file in "$etc"/sources.list "$etc"/sources.list.d/*.list; do
    [ -e "$file" ] || continue
    text=$(backports_of_lines "$codename" <"$file")
    if [ -n "$text" ]; then
      printf '%s\n' "$text" >"$etc/sources.list.d/dtrace-backports.list"
      return
    fi
  done
  echo "no configured package source has the suite $codename" >&2
  return 1
}

# The first enabled paragraph for binary packages of the release, with the backports suite in place of its own.
backports_of_deb822() {
  grep -v '^#' | awk -v codename="$1" '
    BEGIN { RS = ""; FS = "\n" }
    {
      split("", value)
      kept = ""
      for (i = 1; i <= NF; i++) {
        if ($i !~ /^[ \t]/) {
          name = tolower(substr($i, 1, index($i, ":") - 1))
          value[name] = substr($i, index($i, ":") + 1)
        } else {
          value[name] = value[name] " " $i
        }
        if (name !~ /^(types|suites|components|enabled)$/ && name !~ /^x-/) kept = kept $i "\n"
      }
      if (tolower(value["enabled"]) ~ /^[ \t]*(no|false|0)/) next
      if (!has_word(value["types"], "deb") || !has_word(value["suites"], codename)) next
      if (!has_word(value["components"], "main")) next
      printf "Types: deb\nSuites: %s-backports\nComponents: main\n%s", codename, kept
      exit
    }
    function has_word(text, word) { return (" " text " ") ~ ("[ \t]" word "[ \t]") }'
}

# The same for the one-line form: `deb [options] uri suite component...`.
backports_of_lines() {
  awk -v codename="$1" '
    $1 == "deb" {
      line = $0
      sub(/[ \t]*#.*/, "", line)
      options = ""
      if (match(line, /\[[^]]*\]/)) {
        options = substr(line, RSTART, RLENGTH) " "
        line = substr(line, 1, RSTART - 1) substr(line, RSTART + RLENGTH)
      }
      n = split(line, field, /[ \t]+/)
      if (field[2] ~ /^cdrom:/ || field[3] != codename) next
      for (i = 4; i <= n; i++) {
        if (field[i] == "main") {
          print "deb " options field[2] " " codename "-backports main"
          exit
        }
      }
    }'
}
