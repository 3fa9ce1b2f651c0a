#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: compressed debug information is kept decompressed, and used again while its file is the same; what is damaged is replaced,
# as is that of a file that was changed; two that write at once do no harm; -x cache=off keeps nothing.
# SECTION: Providers, pid
# @@timeout: 120      @@tags: release userland
dtrace=$1
exec 2>&1
cd "$tmpdir" || exit 1
chmod 755 "$tmpdir"
cat >prog.c <<'C'
struct pair { int first; long NAME; };
__attribute__((noinline)) int visit(struct pair *p, int n) { __asm__ volatile("" : : "r"(p), "r"(n) : "memory"); return n; }
int main(void) { struct pair p = {7, 41}; return visit(&p, 5) == 12345; }
C
gcc -O2 -g -gz=zlib -Wl,--build-id=0x00112233445566778899aabbccddeeff00112233 -DNAME=second -o prog prog.c || exit 1
mkdir -m 700 cache
trace() { # MEMBER OPTIONS...
  "$dtrace" $dt_flags -x cache=on -x cachedir="$tmpdir/cache" "${@:2}" -qn "pid\$target:a.out:visit:entry { printf(\"%d %d\\n\", args[0]->$1, args[1]); }" -c ./prog 2>&1 |
    grep . | head -1
}
kept() { find cache/debug -type f 2>/dev/null | wc -l; }
echo "== off"
trace second -x cache=off
kept
echo "== on"
trace second
kept
file=$(find cache/debug -type f)
stat -c '%a %U' "$file"
before=$(stat -c %i "$file")
trace second
[ "$(stat -c %i "$file")" = "$before" ] && echo "the same file"
echo "== damaged"
sha=$(sha256sum <"$file")
printf 'x' | dd of="$file" bs=1 seek=200 conv=notrunc status=none
trace second
[ "$(sha256sum <"$file")" = "$sha" ] && echo "replaced"
truncate -s 100 "$file"
trace second
[ "$(sha256sum <"$file")" = "$sha" ] && echo "replaced"
echo "== of others"
chmod 666 "$file"
trace second
stat -c '%a' "$file"
echo "== changed"
gcc -O2 -g -gz=zlib -Wl,--build-id=0x00112233445566778899aabbccddeeff00112233 -DNAME=third -o prog prog.c
trace third
kept
echo "== at once"
rm -rf cache/debug
for i in 1 2 3 4; do trace third >"out$i" & done
wait
cat out?
kept
find cache -name '.*' -type f | wc -l
echo "== at most 64 files"
oldest=cache/debug/$(printf '%064d' 0)
for ((i = 0; i < 64; i++)); do
  touch -d "$((100 - i)) days ago" "cache/debug/$(printf '%064d' "$i")"
done
rm "$(find cache/debug -type f -size +0)"
trace third
kept
[ -e "$oldest" ] || echo "the oldest is removed"
[ "$(find cache/debug -type f -size +0 | wc -l)" = 1 ] && echo "the new one is kept"
exit 0
