# SPDX-License-Identifier: Apache-2.0
"""Provider definition files as they are found in the wild, and the command lines that name them."""
import os
import stat
import threading
import unittest

from usdt_tools import DTRACE, FAMILIES, GCC, Case, sites


class Files(Case):
    def macros(self, text, *options, name="x.d"):
        """Names of the probe macros that a definition file leads to."""
        self.write(name, text)
        self.dtrace(*options, "-h", "-s", name, "-o", "x.h")
        lines = self.read("x.h").split("#else")[0].splitlines()
        return [line[8:].split("(")[0] for line in lines if line.startswith("#define ") and "((void) 0)" in line]

    def refuse(self, text, *words, options=(), status=1):
        self.write("x.d", text)
        (self.folder / "x.h").unlink(missing_ok=True)
        done = self.dtrace(*options, "-h", "-s", "x.d", "-o", "x.h", status=status)
        for word in ("dtrace: ",) + words:
            self.assertIn(word, done.stderr)
        self.assertNotIn("x.h", self.files())

    def test_forms_of_declarations(self):
        text = """provider p {
	probe a();
	probe b (void);
	probe c__d(int x, char *, struct s *y,
		const volatile unsigned long long int z);
	probe e(char* file, char *const *v, int n[4], void (*f)(int, char *)) : (foo_t *v, bar_t);
	probe f(string);
}
provider q { probe a(); };
provider empty { };
"""
        self.assertEqual(self.macros(text), ["P_A", "P_B", "P_C_D", "P_E", "P_F", "Q_A"])

    def test_translated_arguments_that_name_no_native_one_are_warned_of(self):
        """They are taken by position, where other systems refuse them."""
        self.write("x.d", "provider p { probe a(int x, int y) : (long, foo_t y); probe b(int x) : (foo_t z); };\n")
        for mode in ("-h", "-G"):
            warnings = self.dtrace(mode, "-s", "x.d").stderr
            self.assertIn("translated argument 0 of probe a has no name: args[0] will be native argument 0", warnings)
            self.assertIn("translated argument 0 of probe b has a name, z, that no native argument has", warnings)
            self.assertEqual(warnings.count("warning"), 2)
        self.write("x.d", "provider p { probe a(int x, int) : (long x, foo_t x); };\n")
        self.assertEqual(self.dtrace("-h", "-s", "x.d").stderr, "")

    CXX = """provider shop {
	probe a(ns::order *s, std::vector<unsigned long> *v, const std::string &name, ::top *t, enum ns::color c);
	probe b(std::map<int, ns::order> *m, int n) : (order_info_t *m);
};
"""

    def test_types_of_cxx(self):
        """Names with scopes and templates; a reference is passed as the address of what it refers to."""
        self.assertEqual(self.macros(self.CXX), ["SHOP_A", "SHOP_B"])
        self.write("x.cc", """#include <map>
#include <string>
#include <vector>
namespace ns { struct order { int n; }; enum color { red }; }
struct top {};
#include "x.h"
int main() {
	ns::order o = {1}; std::vector<unsigned long> v; std::string name = "x"; top t; std::map<int, ns::order> m;
	SHOP_A(&o, &v, name, &t, ns::red);
	SHOP_B(&m, 7);
	return SHOP_A_ENABLED();
}
""")
        for family in FAMILIES:
            for options in ([], ["-DDTRACE_TYPECHECK"]):
                self.compile(family[1], "-O2", "-Wall", "-Wextra", "-Werror", *options, "x.cc", "-o", "x")
                self.assertEqual([len(s.arguments.split()) for s in sites(self.folder / "x")], [5, 2])
        self.dtrace("-G", "-s", "x.d")
        for name in ("x", "x.o"):
            for text in (b"ns::order *", b"std::vector<unsigned long> *", b"const std::string &", b"std::map<int, ns::order> *"):
                self.assertIn(text, (self.folder / name).read_bytes())

    def test_words_of_d_and_c_are_names_here(self):
        text = """provider p {
	probe trace(int errno, int pid, int class, char *string, int self, int this, int import, int counter);
	probe exit(int probe, int provider, int inline, int stack, int arg0, int line);
	probe probe(int translator); probe stringof(); probe xlate(int scope, int method);
};
"""
        self.assertEqual(self.macros(text), ["P_TRACE", "P_EXIT", "P_PROBE", "P_STRINGOF", "P_XLATE"])

    def definition(self, members):
        body = " ".join(f"int member_{i};" for i in range(members))
        return f"typedef struct big {{ {body} }} big_t;\nprovider p {{ probe a(big_t *b) : (info_t *b); }};\n"

    def test_long_definitions_are_carried_whole(self):
        """Beyond 16 KiB, in the header's note and in the object's; what no record holds is said to be missing."""
        self.write("x.d", self.definition(3000))
        self.assertEqual(self.dtrace("-h", "-s", "x.d").stderr, "")
        self.assertEqual(self.dtrace("-G", "-s", "x.d").stderr, "")
        self.write("x.c", '#include "x.h"\nint main(void) { P_A(0); return 0; }\n')
        self.compile(GCC[0], "x.c", "-o", "x")
        for name in ("x", "x.o"):
            self.assertIn(b"int member_2999;", (self.folder / name).read_bytes())
        self.write("y.d", self.definition(6000))
        for mode in ("-h", "-G"):
            self.assertRegex(self.dtrace(mode, "-s", "y.d").stderr, r"warning: y\.d: .*definition of .*big.* exceeds the note.s limit")

    def test_unknown_types_are_taken_by_name(self):
        text = "provider p { probe a(zoneid_t z, const_uint8_p, VALUE v, struct none **n, enum e x, union u *q); };\n"
        self.assertEqual(self.macros(text), ["P_A"])

    def test_comment_lines_and_conditionals_without_cpp(self):
        text = """# file: src/rpc/*.c
#ifdef __APPLE__
#define string char *
#include <nothing.h>
#endif
provider p {
# prefix: it isn't closed "
	probe a(string s); /* it's fine */
	// and this is, too
	probe b();
};
#error this is a comment here
"""
        self.assertEqual(self.macros(text), ["P_A", "P_B"])

    def test_line_endings_and_bytes(self):
        text = b"/* \xff\xfe */\r\nprovider p {\r\n\tprobe a(int x);\r\n};\r\n#pragma D attributes Stable/Stable/ISA provider p args\r\n"
        self.assertEqual(self.macros(text), ["P_A"])

    def test_preprocessed_by_somebody_else(self):
        text = '# 1 "F.d"\n# 1 "<built-in>"\n# 1 "/usr/include/x.h" 1 3 4\nextern int f (void) __attribute__ ((x));\n' \
               '# 7 "F.d" 2\nprovider p { probe a(); };\n'
        self.assertEqual(self.macros(text), ["P_A"])
        self.refuse('# 40 "F.d"\nprovider p {\n\tprobe a(;\n};\n', "line 41")

    def test_cpp(self):
        self.write("sub/types.h", "#define Oid unsigned int\ntypedef struct { int a, b; } pair_t;\n"
                                  "static inline int twice(int x) { return 2 * x; }\nextern int v[];\n")
        text = '#include "types.h"\n#define bool char\n#if WANTED\nprovider p { probe a(Oid, bool, pair_t *); };\n#endif\n'
        self.assertEqual(self.macros(text, "-C", "-Isub", "-DWANTED=1"), ["P_A"])
        self.assertEqual(self.macros(text, "-C", "-I", "sub", "-D", "WANTED", "-U", "WANTED"), [])

    def test_cpp_is_the_users(self):
        self.write("x.d", "provider p { probe a(X); };\n")
        self.dtrace("-C", "-DX=int", "-h", "-s", "x.d", env={"CPP": "gcc -E -DY"})
        failed = self.dtrace("-C", "-h", "-s", "x.d", env={"CPP": "/nonexistent/cpp"}, status=1)
        self.assertIn("dtrace: ", failed.stderr)

    def test_real_headers_are_passed_over(self):
        text = "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/socket.h>\nprovider p { probe a(FILE *); };\n"
        self.assertEqual(self.macros(text, "-C"), ["P_A"])

    def test_c_and_d_beside_the_provider(self):
        text = """typedef struct { int dummy; } foo_t;
struct later;
inline int limit = 4;
translator info_t < foo_t *p > { i = p->dummy; };
provider p { probe a(foo_t *p) : (info_t *p); };
typedef struct Tcl_Obj { int refs; char *bytes; union { long l; double d; } rep; } Tcl_Obj;
enum e { A, B = 2 };
#pragma D depends_on library net.d
#pragma D binding "1.0" limit
#pragma D option quiet
BEGIN { exit(0); }
"""
        self.assertEqual(self.macros(text), ["P_A"])

    def test_nothing_to_define(self):
        for text in ("", "\n", "/* nothing */", "BEGIN", "BEGIN{}", "# comment\n"):
            with self.subTest(text=text):
                self.assertEqual(self.macros(text), [])
                self.dtrace("-G", "-s", "x.d", "-o", "x.o")
                self.write("m.c", '#include "x.h"\nint main(void) { return 0; }\n')
                self.compile(GCC[0], "m.c", "x.o", "-o", "m")

    def test_one_provider_in_several_blocks(self):
        self.assertEqual(self.macros("provider p { probe a(); };\nprovider p { probe b(); };\n"), ["P_A", "P_B"])

    def test_translated_arguments_and_attributes_in_the_note(self):
        self.write("x.d", """typedef struct { int a; int b; } pair_t;
typedef struct { int dummy; } dummy_t;
provider p { probe a(pair_t *q, dummy_t *d) : (info_t *d, other_t *q); };
#pragma D attributes Evolving/Stable/ISA provider p args
""")
        self.dtrace("-G", "-s", "x.d")
        note = (self.folder / "x.o").read_bytes()
        self.assertIn(b"pair_t *\0q\0dummy_t *\0d\0info_t *\0d\0\x01\0other_t *\0q\0\0\0", note)
        self.assertIn(b"typedef struct { int a; int b; } pair_t;\0", note)
        self.assertNotIn(b"int dummy", note)
        self.assertIn(bytes([1, 1, 0] * 4 + [5, 6, 4, 0]) + b"p\0", note)

    def test_what_is_wrong_is_named_with_its_line(self):
        self.refuse("provider p {\n\tprobe a(int;\n};\n", "failed to compile script x.d: line 2: ")
        self.refuse("provider p {\n\tprobe a()\n};\n", "line 3")
        self.refuse("provider p {\n\tprobe a(int x, ...);\n};\n", "line 2", '"..."')
        self.refuse("\n\nprovder p { probe a(); };\n", "line 3", "provder")
        self.refuse("provider p { probe a();\n", "end of input")
        self.refuse("int f(void) {\n", "line 1", '"{"')
        self.refuse("/* never closed\n", "line 1")
        self.refuse("dtrace:helper:ustack: { }\n", "helper programs")
        self.refuse("provider p { probe a__b(); probe a_b(); };\n", "P_A_B")
        self.refuse("provider p { probe a(); probe a_enabled(); };\n", "P_A_ENABLED")
        self.refuse("provider p { probe a(int); probe a(long); };\n", "redeclared")
        self.refuse("provider p { probe a(%s); };\n" % ", ".join(["int"] * 16), "16 arguments")
        self.refuse("provider p { probe a(int x) : (foo_t *y, bar_t *z); };\n", "translated argument 1")
        self.refuse("provider %s { };\n" % ("p" * 64), "longer than 63")
        self.refuse("#pragma D attributes Good/Bad/Ugly provider p args\nprovider p { };\n", "line 1", "Good/Bad/Ugly")
        self.refuse("provider p { probe a(; };\n", "[D_SYNTAX] line 1", options=("-xerrtags",))

    def test_a_name_that_ends_in_a_digit_is_warned_of(self):
        self.write("x.d", "provider lib2 { probe a(); };\n")
        self.assertIn("lib2 ends in a digit", self.dtrace("-h", "-s", "x.d").stderr)


class CommandLine(Case):
    def setUp(self):
        super().setUp()
        self.write("dir/p.d", "provider p { probe a(int); };\n")

    def test_default_names_are_in_the_current_folder(self):
        self.dtrace("-h", "-s", "dir/p.d")
        self.dtrace("-C", "-G", "-s", "dir/p.d")
        self.assertEqual(self.files(), ["dir", "p.h", "p.o"])
        self.write("other.dtrace", "provider p { probe a(int); };\n")
        self.dtrace("-G", "-s", "other.dtrace")
        self.assertIn("d.out", self.files())
        self.assertIn(".d", self.dtrace("-h", "-s", "other.dtrace", status=2).stderr)
        self.dtrace("-h", "-s", "other.dtrace", "-o", "other.h")

    def test_options_of_build_systems(self):
        for options in (["-xnolibs"], ["-x", "nolibs"], ["-xlazyload", "-xunheard=of"], ["-32"], ["-64"], ["-fPIC"],
                        ["-fpic"], ["-L", "/nowhere"], ["-Z"], ["-k"], ["-v"], ["-q"], ["-w"], ["-S"], ["--types"],
                        ["--no-pyparsing"], ["-Idir"], ["-I", "dir"], ["-DSTAP_SDT_V2"], ["-UX"], ["-H"], ["-m32"]):
            with self.subTest(options=options):
                self.dtrace(*options, "-h", "-s", "dir/p.d", "-o", "p.h")
                self.dtrace("-G", "-s", "dir/p.d", *options, "-o", "p.o")
        self.dtrace("-sdir/p.d", "-op.h", "-h")
        self.dtrace("-o", "p.o", "-G", "-sdir/p.d")

    def test_standard_streams(self):
        text = "provider p { probe a(int); };\n"
        self.assertIn("#define P_A(", self.dtrace("-h", "-s", "-", "-o", "-", stdin=text).stdout)
        self.assertIn("#define P_A(", self.dtrace("-h", "-s", "/dev/stdin", "-o", "-", stdin=text).stdout)
        self.dtrace("-h", "-s", "dir/p.d", "-o", "/dev/null")

    def test_usage_errors(self):
        self.assertIn("-h requires", self.dtrace("-h", status=2).stderr)
        self.assertIn("-G requires", self.dtrace("-G", "x.o", status=2).stderr)
        self.dtrace("-h", "-G", "-s", "dir/p.d", status=2)
        self.dtrace("-h", "-y", "-s", "dir/p.d", status=2)
        self.assertIn("nowhere.d", self.dtrace("-h", "-s", "nowhere.d", status=1).stderr)
        self.dtrace("-V")
        self.dtrace("--help")

    def test_several_scripts(self):
        self.write("q.d", "provider q { probe b(); };\nprovider p { probe c(); };\n")
        self.dtrace("-h", "-s", "dir/p.d", "-s", "q.d", status=2)
        self.dtrace("-h", "-s", "dir/p.d", "-s", "q.d", "-o", "both.h")
        for macro in ("P_A", "P_C", "Q_B"):
            self.assertIn(f"#define {macro}(", self.read("both.h"))
        self.dtrace("-G", "-s", "dir/p.d", "-s", "q.d", "-o", "both.o")
        self.write("m.c", '#include "both.h"\nint main(void) { P_A(1); P_C(); Q_B(); return P_A_ENABLED(); }\n')
        self.compile(GCC[0], "m.c", "both.o", "-o", "m")
        self.assertEqual([s.name for s in sites(self.folder / "m")], ["a", "c", "b"])

    def test_failure_leaves_the_output_as_it_was(self):
        self.write("bad.d", "provider p { probe };\n")
        self.write("p.h", "old")
        self.dtrace("-h", "-s", "bad.d", "-o", "p.h", status=1)
        self.assertEqual(self.read("p.h"), "old")
        self.dtrace("-h", "-s", "dir/p.d", "-o", "p.h")
        self.assertNotEqual(self.read("p.h"), "old")
        self.assertIn("no/such", self.dtrace("-h", "-s", "dir/p.d", "-o", "no/such/p.h", status=1).stderr)
        self.assertEqual(self.files(), ["bad.d", "dir", "p.h"])

    def test_outputs_are_plain_files_behind_links(self):
        self.write("real/p.h", "old")
        (self.folder / "p.h").symlink_to("real/p.h")
        old_mask = os.umask(0o027)
        try:
            self.dtrace("-h", "-s", "dir/p.d", "-o", "p.h")
        finally:
            os.umask(old_mask)
        self.assertTrue((self.folder / "p.h").is_symlink())
        self.assertIn("P_A", self.read("real/p.h"))
        self.assertEqual(stat.S_IMODE((self.folder / "real/p.h").stat().st_mode), 0o640)

    def test_same_input_same_bytes(self):
        for mode, name in (("-h", "p.h"), ("-G", "p.o")):
            self.dtrace(mode, "-s", "dir/p.d", "-o", name)
            first = (self.folder / name).read_bytes()
            self.write("copy/p.d", (self.folder / "dir/p.d").read_text())
            self.dtrace(mode, "-C", "-s", "copy/p.d", "-o", name)
            self.assertEqual((self.folder / name).read_bytes(), first)

    def test_many_at_once(self):
        """Parallel make: readers of an output that is made again and again see it whole."""
        self.dtrace("-h", "-s", "dir/p.d", "-o", "p.h")
        whole = self.read("p.h")
        threads = [threading.Thread(target=lambda: [self.run_in(DTRACE, "-h", "-s", "dir/p.d", "-o", "p.h")
                                                    for _ in range(5)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            self.assertEqual(self.read("p.h"), whole)
        for thread in threads:
            thread.join()
        self.assertEqual(self.files(), ["dir", "p.h"])


if __name__ == "__main__":
    unittest.main()
