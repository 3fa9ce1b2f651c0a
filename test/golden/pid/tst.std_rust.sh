#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: members that libdtrace-d/std_rust.d gives to &str, String, slices and Vec have the values that a Rust program prints of
# them: empty, longer than strsize, with a NUL inside, of elements of several types. Parameters that rustc may pass in another
# way than C are errors, never other values.
# @@timeout: 120  @@tags: userland
dtrace=$1
PATH=$PATH:$HOME/.cargo/bin
cat >"$tmpdir/shop.rs" <<'R'
use std::fs::File;
use std::io::Write;
fn black_box<T>(x: T) -> T { unsafe { std::arch::asm!("/* {0} */", in(reg) &x) }; x }
mod shop {
    use super::*;
    pub struct Item { pub id: u32, pub price: i64, pub name: String }
    #[inline(never)] pub fn text(s: &String, out: &mut File) { black_box(s); writeln!(out, "text {} {:.255}|", s.len(), s.split('\0').next().unwrap()).unwrap(); }
    #[inline(never)] pub fn slice(s: &str, n: i32, out: &mut File) { black_box((s, n)); writeln!(out, "slice {} {:.255} {}", s.len(), s, n).unwrap(); }
    #[inline(never)] pub fn numbers(v: &Vec<i32>, w: &[u16], out: &mut File) { black_box((v, w)); writeln!(out, "numbers {} {} {} {}", v.len(), v[v.len() - 1], w.len(), w[1]).unwrap(); }
    #[inline(never)] pub fn items(v: &Vec<Item>, out: &mut File) { black_box(v); writeln!(out, "items {} {} {} {}", v.len(), v[1].id, v[1].price, v[1].name).unwrap(); }
    #[inline(never)] pub fn unsure(o: Option<u32>, n: i64) -> i64 { black_box((o, n)).1 }
    #[inline(never)] pub fn pair(p: (u32, u32), n: i64) -> i64 { black_box((p, n)).1 }
    #[inline(never)] pub fn large(s: String, n: i64) -> i64 { black_box(&s); n }
    #[inline(never)] pub fn sure(a: u8, s: &str, b: i64, c: (i64, i64)) -> i64 { black_box((a, s, c)); b }
}
fn main() {
    let mut out = File::create(std::env::args().nth(1).unwrap()).unwrap();
    let long = "y".repeat(1000);
    for s in ["short", "", "a text that is longer", "in\0side", &long] {
        shop::text(&black_box(s.to_string()), &mut out);
        if !s.contains('\0') { shop::slice(black_box(s), black_box(s.len() as i32 - 3), &mut out); }
    }
    shop::slice(black_box(&"part of it"[5..7]), black_box(9), &mut out);
    shop::numbers(&black_box(vec![1, -2, 3]), black_box(&[7, 8]), &mut out);
    let item = |id, price, name: &str| shop::Item { id, price, name: name.to_string() };
    shop::items(&black_box(vec![item(1, 10, "one"), item(2, -20, "two")]), &mut out);
    black_box(shop::unsure(black_box(Some(3)), black_box(4)) + shop::pair(black_box((1, 2)), black_box(5)) + shop::large(black_box(long), black_box(6)));
    black_box(shop::sure(black_box(200), black_box("seen"), black_box(-5), black_box((11, -12))));
}
R
cat >"$tmpdir/shop.d" <<'D'
pid$target:a.out:prog::shop::text:entry { printf("text %d %s|\n", args[0]->len, stringof(args[0])); }
pid$target:a.out:prog::shop::slice:entry { printf("slice %d %s %d\n", args[0].len, args[0].text, args[1]); }
pid$target:a.out:prog::shop::numbers:entry { printf("numbers %d %d %d %d\n", args[0]->len, args[0]->ptr[args[0]->len - 1], args[1].len, args[1].ptr[1]); }
pid$target:a.out:prog::shop::items:entry { printf("items %d %d %d %s\n", args[0]->len, args[0]->ptr[1].id, args[0]->ptr[1].price, args[0]->ptr[1].name.text); }
pid$target:a.out:prog::shop::sure:entry { printf("sure %d %s %d %d %d\n", args[0], stringof(args[1]), args[2], args[3].__0, args[3].__1); }
D
value() { # FUNCTION EXPRESSION: its value, or why there is none
  $dtrace $dt_flags -xerrtags -q -c "$tmpdir/shop $tmpdir/ignored" -n "pid\$target:a.out:prog::shop::$1:entry { trace($2); }" 2>&1 |
    sed -n '1s/^.*\(\[D_[A-Z_]*\]\).*: \(.*\)$/\1 \2/; /./p' | head -1
}
for options in "" "-O"; do
  echo "== rustc $options"
  rustc --crate-name prog -C debuginfo=2 $options -o "$tmpdir/shop" "$tmpdir/shop.rs" 2>/dev/null || exit 1
  $dtrace $dt_flags -xtemporal -q -s "$tmpdir/shop.d" -c "$tmpdir/shop $tmpdir/expected" >"$tmpdir/seen" 2>"$tmpdir/errors"
  diff <(cat "$tmpdir/expected"; echo "sure 200 seen -5 11 -12") <(grep . "$tmpdir/seen") && echo equal
  cat "$tmpdir/errors"
  for one in "unsure 4" "pair 5" "large 6"; do
    seen=$(value "${one% *}" 'args[1]')
    case $seen in
      ${one#* } | "[D_ARGS_PLACE]"*) ;;
      *) echo "$one: $seen" ;;
    esac
  done
done
