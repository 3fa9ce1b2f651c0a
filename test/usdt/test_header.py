# SPDX-License-Identifier: Apache-2.0
"""The header of `dtrace -h` in every dialect and option that people compile with."""
import shutil
import unittest

from usdt_tools import CLANG, FAMILIES, GCC, SOURCE, Case, instructions, provider_notes, sites, symbols

SHOP = """\
struct item;
provider shop {
	probe sale__done(int cents, struct item *item, char *class, unsigned char kind);
	probe none();
	probe wide(int, long, char, short a, unsigned short b, uint64_t c, string s, double d, float f, char **string);
	probe flag(unsigned, int, unknown_t);
};
"""

# One text for C and C++; main() returns 0 if every argument was evaluated once.
PROGRAM = """\
#include "shop.h"
#ifdef __cplusplus
#define CAST(t, x) static_cast<t>(x)
namespace inner {
#else
#define CAST(t, x) ((t)(x))
#endif
struct item { int cents; char *name; };
struct bits { unsigned low : 3; int high : 20; };
enum kind { KIND_A = 1, KIND_B = 2 };
int trade(int a, struct item *it, unsigned char k, struct bits *b, double d, char c);
int trade(int a, struct item *it, unsigned char k, struct bits *b, double d, char c)
{
	static const char text[4] = "abc";
	enum kind kind = KIND_B;
	short s = 4;
	unsigned short us = 5;
	float f = 1.5F;
	unsigned long ul = 7;
	int once = 0;
	SHOP_SALE_DONE(a, it, it->name, k);
	SHOP_NONE();
	if (SHOP_NONE_ENABLED() && SHOP_FLAG_ENABLED())
		return 30;
	SHOP_WIDE(b->high, it->cents, c, s, us, ul, "hi", d, f, &it->name);
	SHOP_WIDE(b->high, once++, c, s, us, ul, text, d, f, &it->name);
	SHOP_FLAG(b->low, KIND_A, kind);
	(a != 0 ? SHOP_NONE() : CAST(void, 0));
	return once - 1;
}
#ifdef __cplusplus
}
using namespace inner;
#endif
int main(void)
{
	struct item i;
	struct bits b;
	i.cents = 1;
	i.name = CAST(char *, 0);
	b.low = 1;
	b.high = 2;
	return trade(1, &i, 7, &b, 2.5, 'x');
}
"""

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion", "-Wsign-conversion", "-Wundef", "-Wshadow",
            "-Wcast-align", "-Wcast-qual", "-Wwrite-strings", "-Wdouble-promotion", "-Wredundant-decls"]
GCC_WARNINGS = ["-Wlogical-op", "-Wduplicated-branches", "-Wduplicated-cond", "-Wnull-dereference"]
# The rest is style: names that begin with underscores, and what older standards lack.
CLANG_WARNINGS = ["-Weverything", "-Wno-unsafe-buffer-usage", "-Wno-padded", "-Wno-switch-default",
                  "-Wno-reserved-macro-identifier", "-Wno-pre-c11-compat", "-Wno-c++98-compat",
                  "-Wno-c++98-compat-pedantic", "-Wno-declaration-after-statement", "-Wno-zero-as-null-pointer-constant",
                  "-Wno-unknown-warning-option", "-Wno-c++-keyword"]


class Header(Case):
    def setUp(self):
        super().setUp()
        self.write("shop.d", SHOP)
        self.dtrace("-h", "-s", "shop.d")
        self.write("p.c", PROGRAM)
        self.write("p.cc", PROGRAM)

    def warnings(self, family):
        return WARNINGS + (GCC_WARNINGS if family is GCC else CLANG_WARNINGS)

    def test_includes_nothing(self):
        self.assertNotIn("include", self.read("shop.h"))

    def test_c_standards(self):
        for family in FAMILIES:
            for standard in ("c90", "c99", "c11", "c17", "c2x", "gnu89", "gnu2x"):
                for level in ("-O0", "-O2"):
                    with self.subTest(compiler=family[0], standard=standard, level=level):
                        self.compile(family[0], f"-std={standard}", level, *self.warnings(family), "-c", "p.c")

    def test_cxx_standards(self):
        for family in FAMILIES:
            extra = ["-Wold-style-cast", "-Wuseless-cast"] if family is GCC else []
            for standard in ("c++98", "c++11", "c++14", "c++17", "c++20", "c++23"):
                for level in ("-O0", "-O2"):
                    with self.subTest(compiler=family[1], standard=standard, level=level):
                        self.compile(family[1], f"-std={standard}", level, *self.warnings(family), *extra, "-c", "p.cc")

    def link_variants(self, family):
        yield []
        for level in ("-O1", "-O2", "-O3", "-Os", "-Og"):
            yield [level]
        for linker in ("bfd", "lld"):
            if shutil.which(f"ld.{linker}"):
                yield ["-O2", f"-fuse-ld={linker}", "-ffunction-sections", "-Wl,--gc-sections"]
        if shutil.which("ld.gold"):  # with --gc-sections gold refuses notes of functions that it drops
            yield ["-O2", "-fuse-ld=gold"]
        yield ["-O2", "-no-pie", "-fno-pic"]
        yield ["-O2", "-static"]
        yield ["-O2", "-fPIC"]
        yield ["-O2", "-mcmodel=large"]
        yield ["-O2", "-fsanitize=address,undefined"]
        yield ["-O2", "-pg"]
        yield ["-O2", "-g", "-Wl,-z,defs", "-Wl,-z,now", "-Wl,--fatal-warnings"]
        if family is GCC:
            yield ["-O2", "-flto"]
            yield ["-O2", "-flto", "-ffat-lto-objects"]
            yield ["-O2", "--coverage"]
            yield ["-O2", "-masm=intel"]

    def test_link_and_run(self):
        for family in FAMILIES:
            for compiler, source in zip(family, ("p.c", "p.cc")):
                for options in self.link_variants(family):
                    with self.subTest(compiler=compiler, options=options):
                        self.compile(compiler, *options, source, "-o", "p")
                        self.assertEqual(self.exit_status("p"), 0)
                        collected = any("gc-sections" in option for option in options)
                        self.check_program(self.folder / "p", collected)

    def check_program(self, path, collected=False):
        """`collected`: lld writes 0 for what --gc-sections dropped: functions that were inlined everywhere, and the base,
        to which notes alone refer; tracers then take addresses as they are."""
        found = [site for site in sites(path) if site.location or not collected]
        self.assertLessEqual({"sale__done", "none", "wide", "flag"}, {s.name for s in found})
        for site in found:
            self.assertEqual(site.provider, "shop")
            if not collected:
                self.assertNotEqual(site.location, 0)
                self.assertNotEqual(site.base, 0)
        for name in ("none", "flag"):
            self.assertEqual(len({s.semaphore for s in found if s.name == name}), 1)
        self.assertEqual(provider_notes(path), 1)

    def test_notes_survive_strip(self):
        self.compile(GCC[0], "-O2", "-s", "p.c", "-o", "p")
        self.check_program(self.folder / "p")

    def test_many_units_share_one_semaphore(self):
        for family in FAMILIES:
            for options in ([], ["-flto"] if family is GCC else []):
                with self.subTest(compiler=family[0], options=options):
                    for unit in "abc":  # differing functions: gcc makes one of equal ones
                        self.write(f"{unit}.c", f'#include "shop.h"\nint {unit}(void);\nint {unit}(void)\n'
                                                f"{{ SHOP_NONE(); return SHOP_NONE_ENABLED() * '{unit}'; }}\n")
                    self.write("m.c", "int a(void), b(void), c(void);\nint main(void) { return a() + b() + c(); }\n")
                    self.compile(family[0], "-O2", *options, "a.c", "b.c", "c.c", "m.c", "-o", "m")
                    self.assertEqual(self.exit_status("m"), 0)
                    found = sites(self.folder / "m")
                    self.assertEqual(len(found), 3)
                    self.assertEqual(len({s.semaphore for s in found}), 1)
                    self.assertEqual(provider_notes(self.folder / "m"), 1)

    def test_shared_library_exports_nothing(self):
        for family in FAMILIES:
            self.compile(family[0], "-O2", "-fPIC", "-shared", "p.c", "-o", "libp.so")
            dynamic = self.run_in("readelf", "--dyn-syms", "-dW", "libp.so").stdout
            for word in ("semaphore", "stapsdt", "usdt", "TEXTREL"):
                self.assertNotIn(word, dynamic)
            self.assertNotIn("RWE", self.run_in("readelf", "-lW", "libp.so").stdout)

    def test_archive_and_relocatable_link(self):
        self.compile(GCC[0], "-O2", "-c", "p.c", "-o", "p.o")
        self.compile("ld", "-r", "p.o", "-o", "r.o")
        self.compile("ar", "rcs", "libp.a", "r.o")
        self.compile(GCC[0], "-Wl,--whole-archive", "libp.a", "-Wl,--no-whole-archive", "-o", "p")
        self.check_program(self.folder / "p")

    def test_templates_and_lambdas(self):
        self.write("t.cc", """\
#include "shop.h"
template <typename T> int probe(T value, T *pointer) {
	SHOP_FLAG(value, sizeof(T), pointer);
	return SHOP_FLAG_ENABLED();
}
inline int one() { auto f = [](int x) { SHOP_FLAG(x, true, nullptr); return SHOP_FLAG_ENABLED(); }; return f(1); }
enum class scoped : signed char { a = -1 };
int main() {
	int i = 1; long l = 2; signed char c = 3; scoped s = scoped::a;
	return probe(i, &i) + probe(l, &l) + probe(c, &c) + probe(s, &s) + one();
}
""")
        for family in FAMILIES:
            self.compile(family[1], "-std=c++17", "-O0", *WARNINGS, "t.cc", "-o", "t")
            self.assertEqual(self.exit_status("t"), 0)
            sizes = sorted(s.arguments.split("@")[0] for s in sites(self.folder / "t"))
            self.assertEqual(sizes, ["-1", "-1", "-4", "-4", "-8"])

    def test_a_disabled_probe_is_one_nop(self):
        self.write("n.c", """\
#include "shop.h"
int with(int a, void *b, char *c, unsigned char d) { SHOP_SALE_DONE(a, b, c, d); return a; }
int without(int a, void *b, char *c, unsigned char d) { return a; }
int work(int);
int test(int a) { if (SHOP_NONE_ENABLED()) return work(a); return a; }
int memory(int *p) { SHOP_FLAG(1, 2, p); return *p; }
""")
        for family in FAMILIES:
            for options in (["-O2"], ["-O2", "-fPIC"], ["-O2", "-fno-pic"]):
                with self.subTest(compiler=family[0], options=options):
                    self.compile(family[0], *options, "-fno-asynchronous-unwind-tables", "-fcf-protection=none", "-c", "n.c")
                    found = instructions(self.folder / "n.o", "with")
                    plain = instructions(self.folder / "n.o", "without")
                    self.assertEqual(found.count("nop"), 1)
                    found.remove("nop")
                    self.assertEqual(found[:len(plain)], plain)
                    test = instructions(self.folder / "n.o", "test")
                    compare = [i for i, text in enumerate(test) if text.startswith("cmpw")]
                    self.assertEqual(len(compare), 1, test)
                    self.assertRegex(test[compare[0] + 1], r"^j(ne|e) ")
                    self.assertEqual(instructions(self.folder / "n.o", "memory")[0], "nop")

    POINTED = """\
struct s { long a, b; };
void made(void);
void made(void) { struct s s = {1234, 5678}; SITE(&s); }
long plain(const long *p);
long plain(const long *p) { long v = *p; VALUE((int) v); return *p; }
"""

    def stores_before_site(self, *options):
        """Both constants on their way to memory before the site: one store each, or one vector."""
        self.compile(*options, "-fcf-protection=none", "-fno-stack-protector", "-c", "t.c", "-o", "t.o")
        code = instructions(self.folder / "t.o", "made")
        before = " ".join(code[:code.index("nop")])
        return ("$0x4d2" in before and "$0x162e" in before) or "xmm" in before

    def test_what_arguments_point_to_is_in_memory(self):
        """The structure is the function's own, and nobody but a tracer reads it."""
        self.write("t.d", "provider t { probe pointer(struct s *p); probe number(uintptr_t p);\n"
                          "probe unknown(order_ref p); probe made(struct s *p) : (info_t *p); probe plain(int v); };\n")
        self.dtrace("-h", "-s", "t.d")
        own = '#include "t.h"\n#define VALUE(x) T_PLAIN(x)\n'
        headers = {f"T_{name}": f"{own}#define SITE(x) T_{name} ({cast} x)\n"
                   for name, cast in (("POINTER", ""), ("NUMBER", "(long)"), ("UNKNOWN", ""), ("MADE", ""))}
        headers["DTRACE_PROBE1"] = ("#include <sys/sdt.h>\n#define SITE(x) DTRACE_PROBE1(t, made, x)\n"
                                    "#define VALUE(x) DTRACE_PROBE1(t, plain, x)\n")
        include = f"-I{SOURCE / 'usdt' / 'include'}"
        for family in FAMILIES:
            for what, lines in headers.items():
                self.write("t.c", lines + self.POINTED)
                for level in ("-O1", "-O2", "-O3", "-Os"):
                    with self.subTest(compiler=family[0], what=what, level=level):
                        self.assertTrue(self.stores_before_site(family[0], level, include))

    def test_values_stay_in_registers_where_no_pointer_is_passed(self):
        """Of types too small for one, or where the program says so. clang loads again after any asm statement."""
        self.write("t.d", "provider t { probe made(struct s *p); probe plain(int v); };\n")
        self.dtrace("-h", "-s", "t.d")
        include = f"-I{SOURCE / 'usdt' / 'include'}"
        for lines, options in (
                ('#include "t.h"\n#define VALUE(x) T_PLAIN(x)\n', []),
                ('#include "t.h"\n#define VALUE(x) T_MADE(x)\n', ["-DDTRACE_PROBES_NO_POINTERS"]),
                ("#include <sys/sdt.h>\n#define VALUE(x) DTRACE_PROBE1(t, p, x)\n", ["-DDTRACE_PROBES_NO_POINTERS"])):
            with self.subTest(lines=lines):
                self.write("t.c", f"{lines}#define SITE(x)\n{self.POINTED}".replace("struct s s =", "const struct s s ="))
                self.compile(GCC[0], "-O2", "-w", *options, include, "-c", "t.c", "-o", "t.o")
                loads = [text for text in instructions(self.folder / "t.o", "plain") if text.startswith("mov")]
                self.assertEqual(len(loads), 1, loads)

    def test_arrays_are_passed_as_addresses(self):
        self.write("a.d", "provider a { probe one(char name[8], int v[4]); };\n")
        self.dtrace("-h", "-s", "a.d")
        text = """#include "a.h"
void one(void);
void one(void) { char name[8] = "text"; int v[4] = {1, 2, 3, 4}; A_ONE(name, v); }
int main(void) { static char name[8]; static int v[4]; A_ONE(name, v); one(); return 0; }
"""
        for family in FAMILIES:
            for compiler, name in zip(family, ("a.c", "a.cc")):
                self.write(name, text)
                for level in ("-O0", "-O2"):
                    self.compile(compiler, level, "-Wall", "-Wextra", "-Werror", name, "-o", "a")
                    self.assertEqual({tuple(place.split("@")[0] for place in s.arguments.split())
                                      for s in sites(self.folder / "a")}, {("8", "8")})

    FLOATS = """\
struct s { int n; float f; double d; long double l; };
double global;
double pass(double d, float f, const struct s *s);
double pass(double d, float f, const struct s *s)
{
	PROBE(d, f, s->d, s->f, 1.5, s->n);
	PROBE(global, 2.5F, s->l, f, d, 7);
	return d * f;
}
int main(void) { struct s s = {1, 2, 3, 4}; return pass(0, 1, &s) > 0; }
"""

    def test_floating_point_arguments_are_where_tracers_look(self):
        """In general registers, memory or a constant; no vector register, no label of the compiler's."""
        self.write("t.d", "provider t { probe p(double a, const float b, volatile double c, float const d, "
                          "long double e, int f); };\n")
        self.dtrace("-h", "-s", "t.d")
        include = f"-I{SOURCE / 'usdt' / 'include'}"
        own = ["8f", "4f", "8f", "4f", "8f", "-4"]
        by_value = [own, ["8f", "4f", "8f", "4f", "8f", "-4"]]
        for header, sizes in (('#include "t.h"\n#define PROBE T_P\n', [own, own]),
                              ("#include <sys/sdt.h>\n#define PROBE(a, b, c, d, e, f) DTRACE_PROBE6(t, p, a, b, c, d, e, f)\n",
                               by_value)):
            self.write("t.c", header + self.FLOATS)
            self.write("t.cc", header + self.FLOATS)
            for family in FAMILIES:
                for compiler, source in zip(family, ("t.c", "t.cc")):
                    for options in (["-O0"], ["-O1"], ["-O2", "-fPIC"], ["-O2", "-fno-pic", "-no-pie"], ["-O3", "-flto"]):
                        if family is CLANG and "-flto" in options:
                            continue
                        with self.subTest(compiler=compiler, options=options, header=header):
                            self.compile(compiler, *options, "-w", include, source, "-o", "t")
                            found = sites(self.folder / "t")
                            for site, expected in zip(found, sizes):
                                places = site.arguments.split()
                                self.assertEqual([place.split("@")[0] for place in places], expected)
                                for place in places:
                                    self.assertNotRegex(place, "mm|[.]L|%st")
                            if "-O0" not in options:  # constants are their bits
                                self.assertIn("8f@$4609434218613702656", found[0].arguments)
                                self.assertIn("4f@$1075838976", found[1].arguments)

    def test_the_test_for_enabled_stays_in_its_loop(self):
        self.write("l.c", '#include "shop.h"\nvoid spin(void) { while (!SHOP_NONE_ENABLED()) { } }\n')
        for family in FAMILIES:
            self.compile(family[0], "-O2", "-c", "l.c")
            code = instructions(self.folder / "l.o", "spin")
            self.assertEqual(sum(text.startswith("cmpw") for text in code), 1)

    def test_gcc_inlines_as_with_other_headers_or_as_without_probes(self):
        """Functions with a site stay whole, unless the program says that sites are small; the test for "enabled" is."""
        self.write("i.c", """#include "shop.h"
static int with(int a) { SHOP_FLAG(a, 1, 2); return a * 3; }
static int test(int a) { return SHOP_NONE_ENABLED() ? a : a * 5; }
int one(int a); int one(int a) { return with(a) + test(a); }
int two(int a); int two(int a) { return with(a + 1) + test(a + 2); }
""")
        for options, copies in (([], 1), (["-DDTRACE_PROBES_INLINE"], 2)):
            self.compile(GCC[0], "-O2", *options, "-c", "i.c")
            self.assertEqual(len(sites(self.folder / "i.o")), copies)
            self.assertNotIn("test", symbols(self.folder / "i.o"))

    def test_argument_sizes_and_signs(self):
        self.write("s.d", "provider s { probe p(int a); };\n")
        self.dtrace("-h", "-s", "s.d")
        rows = [("char", "-1"), ("signed char", "-1"), ("unsigned char", "1"), ("short", "-2"), ("unsigned short", "2"),
                ("int", "-4"), ("unsigned", "4"), ("long", "-8"), ("unsigned long", "8"), ("long long", "-8"),
                ("void *", "8"), ("const char *", "8")]
        body = "".join(f"extern {t} volatile v{i}; void f{i}(void) {{ S_P(v{i}); }}\n" for i, (t, _) in enumerate(rows))
        for family in FAMILIES:
            for compiler, name in zip(family, ("s.c", "s.cc")):
                self.write(name, f'#include "s.h"\n{body}')
                self.compile(compiler, "-O2", "-c", name, "-o", "s.o")
                self.assertEqual([s.arguments.split("@")[0] for s in sites(self.folder / "s.o")], [r[1] for r in rows])

    def test_fifteen_arguments(self):
        parameters = ", ".join(f"long p{i}" for i in range(15))
        self.write("f.d", f"provider f {{ probe p({parameters}); }};\n")
        self.dtrace("-h", "-s", "f.d")
        values = ", ".join(f"v[{i}]" for i in range(15))
        self.write("f.c", f'#include "f.h"\nlong v[15];\nint main(void) {{ F_P({values}); return 0; }}\n')
        for family in FAMILIES:
            for level in ("-O0", "-O2"):
                self.compile(family[0], level, "f.c", "-o", "f")
                self.assertEqual(len(sites(self.folder / "f")[0].arguments.split()), 15)

    def test_no_operand_is_the_name_of_a_variable(self):
        """strip(1) takes names away, and a 32-bit static program has none for memory at all."""
        few = ("c", "i", "l", "a[2]", "g.y")
        many = few + ("p", "a[1]", "u", "g.x", "4", "d")
        types = ", ".join(f"long p{i}" for i in range(len(few)))
        more = ", ".join(f"{'double' if name == 'd' else 'long'} p{i}" for i, name in enumerate(many))
        self.write("v.d", f"provider v {{ probe few({types}); probe many({more}); }};\n")
        self.dtrace("-h", "-s", "v.d")
        self.write("v.c", f"""#include "v.h"
#include <sys/sdt.h>
static signed char c; static int i, a[4]; static long l; static unsigned short u; static double d; static char *p;
static struct {{ int x, y; }} g;
int main(int argc, char **argv) {{
	for (int n = 0; n < argc; n++) {{
		c++, i++, l++, a[1]++, a[2]++, u++, d++, p = argv[n], g.x++, g.y++;
		V_FEW({", ".join(few)});
		V_MANY({", ".join(name if name != "p" else "(long)p" for name in many)});
		DTRACE_PROBE5(v, few, {", ".join(few)});
		DTRACE_PROBE11(v, many, {", ".join(many)});
		DTRACE_PROBE2(v, number, d, (float)d);
	}}
	return 0;
}}
""")
        include = f"-I{SOURCE}/usdt/include"
        widths = [()] + ([("-m32",)] if self.run_in(GCC[0], "-m32", "-c", "v.c", "-o", "w.o", include).returncode == 0 else [])
        for family in FAMILIES:
            for flags in (("-O0",), ("-O2",), ("-O2", "-fPIC"), ("-O1", "-fno-omit-frame-pointer")):
                for width in widths:
                    self.compile(family[0], *flags, *width, "-w", include, "-c", "v.c", "-o", "v.o")
                    for site in sites(self.folder / "v.o"):
                        with self.subTest(compiler=family[0], flags=flags + width, site=site.arguments):
                            self.assertNotRegex(site.arguments, r"@[^ %$#]*[A-Za-z_]")

    def test_off_switch(self):
        for compiler, source in zip(GCC, ("p.c", "p.cc")):
            self.compile(compiler, "-DDTRACE_PROBES_DISABLED", "-O2", "-w", source, "-o", "p")
            self.assertEqual(sites(self.folder / "p"), [])
            self.assertEqual(provider_notes(self.folder / "p"), 0)

    def test_type_check_on_demand(self):
        self.write("k.c", '#include "shop.h"\nvoid f(void);\nvoid f(void) { SHOP_SALE_DONE("x", 0, 0, 0); }\n')
        self.compile(GCC[0], "-c", "-Wall", "-Werror", "k.c")
        # `unknown_t` and `uint64_t` are then the program's to define.
        checked = self.run_in(GCC[0], "-c", "-Wall", "-Werror", "-DDTRACE_TYPECHECK", "-Dunknown_t=int", "-include",
                              "stdint.h", "k.c")
        self.assertNotEqual(checked.returncode, 0)
        self.assertIn("makes integer from pointer", checked.stderr)

    def test_beside_another_declaration_of_the_semaphore(self):
        """As SystemTap's header declares it, before or after ours."""
        other = ("extern unsigned short shop_none_semaphore __attribute__ ((unused, section (\".probes\")));\n")
        for order in (other + '#include "shop.h"\n', '#include "shop.h"\n' + other):
            self.write("o.c", order + "int main(void) { SHOP_NONE(); return SHOP_NONE_ENABLED() + shop_none_semaphore; }\n")
            for family in FAMILIES:
                self.compile(family[0], "-O2", *WARNINGS[:4], "o.c", "-o", "o")
                self.assertEqual(self.exit_status("o"), 0)

    def test_in_dependency_files(self):
        """A system header for warnings, but none for make."""
        for family in FAMILIES:
            self.compile(family[0], "-MMD", "-c", "p.c")
            self.assertIn("shop.h", self.read("p.d"))

    def test_other_machines(self):
        """Assembled, with notes and semaphores, for whatever this clang can; the header needs no C library."""
        for target in ("aarch64-linux-gnu", "i386-linux-gnu", "x86_64-linux-gnux32", "armv7-linux-gnueabihf",
                       "powerpc64le-linux-gnu", "riscv64-linux-gnu", "s390x-linux-gnu"):
            if self.run_in(CLANG[0], f"--target={target}", "-c", "-xc", "-", "-o", "e.o", stdin="int e;\n").returncode:
                continue
            for options in (["-O0"], ["-O2", "-fPIC"]):
                with self.subTest(target=target, options=options):
                    self.compile(CLANG[0], f"--target={target}", *options, "-Wall", "-Wextra", "-Werror", "-c", "p.c")
                    names = {s.name for s in sites(self.folder / "p.o")}
                    self.assertLessEqual({"sale__done", "none", "wide", "flag"}, names)

    def test_i386_runs(self):
        self.need_32bit()
        for options in (["-O0"], ["-O2", "-fPIC", "-pie"], ["-O2", "-fno-pic", "-no-pie"]):
            with self.subTest(options=options):
                self.compile(GCC[0], "-m32", *options, "p.c", "-o", "p")
                self.assertEqual(self.exit_status("p"), 0)
                self.check_program(self.folder / "p")

    def test_gdb_sees_the_sites(self):
        if not shutil.which("gdb"):
            self.skipTest("no gdb")
        self.compile(GCC[0], "-O2", "p.c", "-o", "p")
        shown = self.run_in("gdb", "-nx", "-batch", "-ex", "info probes stap", "p").stdout
        expected = sorted((s.name, s.location, s.semaphore) for s in sites(self.folder / "p"))
        rows = [line.split() for line in shown.splitlines() if line.startswith("stap ")]
        self.assertEqual(sorted((r[2], int(r[3], 16), int(r[4], 16)) for r in rows), expected)

    def test_preprocessed_twice(self):
        """ccache and distcc compile the preprocessor's output."""
        for family in FAMILIES:
            done = self.compile(family[0], "-E", "p.c", "-o", "p.i")
            self.assertEqual(done.stderr, "")
            self.compile(family[0], "-O2", "-Wall", "-Wextra", "-Werror", "p.i", "-o", "p")
            self.check_program(self.folder / "p")


if __name__ == "__main__":
    unittest.main()
