# SPDX-License-Identifier: Apache-2.0
"""The object of `dtrace -G`: linked not at all, once or often; for other machines; for code made for Solaris."""
import shutil
import struct
import unittest

from usdt_tools import CLANG, FAMILIES, GCC, Case, instructions, provider_notes, sites, symbols

SHOP = """provider shop {
	probe sale(int cents, char *what);
	probe many(int, long, char, short, unsigned, void *, int, long, double, float);
	probe closed();
};
"""
PROGRAM = """#include "shop.h"
int main(void) { SHOP_SALE(5, "x"); SHOP_CLOSED(); return SHOP_SALE_ENABLED() + SHOP_CLOSED_ENABLED(); }
"""
# What a header made on Solaris leads to.
SOLARIS = """extern void __dtrace_shop___sale(int, char *);
extern void __dtrace_shop___many(int, long, char, short, unsigned, void *, int, long, double, float);
extern int __dtraceenabled_shop___sale(void);
int main(void) {
	__dtrace_shop___sale(5, "x");
	__dtrace_shop___many(1, 2, 3, 4, 5, 0, 7, 8, 9.0, 10.0f);
	return __dtraceenabled_shop___sale();
}
"""


class Object(Case):
    def setUp(self):
        super().setUp()
        self.write("shop.d", SHOP)
        self.write("m.c", PROGRAM)
        self.dtrace("-h", "-s", "shop.d")
        self.dtrace("-G", "-s", "shop.d")

    def test_holds_data_only(self):
        text = self.run_in("readelf", "-SW", "shop.o").stdout
        self.assertNotIn(".text", text)
        self.assertIn(".note.GNU-stack", text)
        self.assertNotIn(" AX ", text)
        self.assertEqual(self.run_in("readelf", "-rW", "shop.o").stdout.strip(), "There are no relocations in this file.")
        for name in ("sale", "many", "closed"):
            bind, visibility, _ = symbols(self.folder / "shop.o")[f"shop_{name}_semaphore"]
            self.assertEqual((bind, visibility), ("WEAK", "HIDDEN"))

    def test_tools_take_it(self):
        for command in (["objdump", "-x", "shop.o"], ["objcopy", "shop.o", "copy.o"], ["ld", "-r", "shop.o", "-o", "r.o"],
                        ["strip", "-g", "shop.o", "-o", "s.o"], ["nm", "shop.o"], ["eu-elflint", "--gnu-ld", "shop.o"]):
            if shutil.which(command[0]):
                with self.subTest(command=command):
                    done = self.run_in(*command)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertNotRegex(done.stderr, "(?i)warning")

    def test_linked_never_once_and_often(self):
        self.write("again.d", SHOP + "/* the same, by another name */\n")
        self.dtrace("-G", "-s", "again.d")
        for family in FAMILIES:
            for linker in ("bfd", "gold", "lld"):
                if not shutil.which(f"ld.{linker}"):
                    continue
                for objects in ([], ["shop.o"], ["shop.o", "again.o"], ["shop.o", "again.o", "shop.o"]):
                    with self.subTest(compiler=family[0], linker=linker, objects=objects):
                        options = [f"-fuse-ld={linker}", "-Wl,--fatal-warnings"]
                        self.compile(family[0], "-O2", *options, "m.c", *objects, "-o", "m")
                        self.compile(family[0], "-O2", *options, *objects, "m.c", "-o", "m")
                        self.assertEqual(self.exit_status("m"), 0)
                        found = sites(self.folder / "m")
                        self.assertEqual([s.name for s in found], ["sale", "closed"])
                        self.assertEqual(len({s.semaphore for s in found}), 2)
                        self.assertEqual(provider_notes(self.folder / "m"), 1)

    def test_one_object_in_a_program_and_its_library(self):
        self.write("l.c", '#include "shop.h"\nint l(void);\nint l(void) { SHOP_SALE(1, "l"); return SHOP_SALE_ENABLED(); }\n')
        self.compile(GCC[0], "-shared", "-fPIC", "l.c", "shop.o", "-o", "libl.so")
        self.compile(GCC[0], "m.c", "shop.o", "./libl.so", "-o", "m")
        self.assertEqual(self.exit_status("m"), 0)
        self.assertEqual(len(sites(self.folder / "libl.so")), 1)
        self.assertNotIn("semaphore", self.run_in("readelf", "--dyn-syms", "-W", "libl.so").stdout)

    def test_with_lto(self):
        self.compile(GCC[0], "-O2", "-flto", "m.c", "shop.o", "-o", "m")
        self.assertEqual(self.exit_status("m"), 0)
        self.assertEqual(len(sites(self.folder / "m")), 2)

    def test_beside_strong_semaphores(self):
        """Those of SystemTap's -G object: not weak, in no group."""
        self.write("stap.c", 'unsigned short shop_sale_semaphore __attribute__ ((visibility("hidden"), section(".probes"))) '
                             "= 0;\n")
        self.compile(GCC[0], "-O2", "stap.c", "m.c", "shop.o", "-o", "m")
        self.assertEqual(self.exit_status("m"), 0)

    def test_branch_protection_survives(self):
        self.compile(GCC[0], "-fcf-protection=full", "-c", "m.c")
        for objects in (["m.o"], ["m.o", "shop.o"]):
            self.compile("ld", "-r", *objects, "-o", "r.o")
            self.assertIn("IBT, SHSTK", self.run_in("readelf", "-nW", "r.o").stdout)

    def test_inputs_are_left_alone(self):
        self.compile(GCC[0], "-c", "m.c")
        before = ((self.folder / "m.o").read_bytes(), (self.folder / "m.o").stat().st_mtime_ns)
        self.dtrace("-G", "-s", "shop.d", "m.o")
        self.assertEqual(((self.folder / "m.o").read_bytes(), (self.folder / "m.o").stat().st_mtime_ns), before)

    def test_hundreds_of_objects(self):
        self.compile(GCC[0], "-c", "m.c")
        names = []
        for i in range(300):
            names.append(f"o{i}.o")
            (self.folder / names[-1]).symlink_to("m.o")
        self.dtrace("-G", "-s", "shop.d", "-o", "all.o", *names)
        self.assertEqual((self.folder / "all.o").read_bytes(), (self.folder / "shop.o").read_bytes())

    def test_anything_may_be_an_input(self):
        self.compile(GCC[0], "-c", "m.c")
        self.compile("ar", "rcs", "m.a", "m.o")
        self.write("bitcode.o", b"BC\xc0\xde rest")
        self.write("empty.o", b"")
        self.write("torn.o", (self.folder / "m.o").read_bytes()[:200])
        self.dtrace("-G", "-s", "shop.d", "-o", "x.o", "m.a", "bitcode.o", "empty.o", "torn.o")
        self.assertIn("absent.o", self.dtrace("-G", "-s", "shop.d", "-o", "y.o", "absent.o", status=1).stderr)
        self.assertNotIn("y.o", self.files())


class Machines(Case):
    def setUp(self):
        super().setUp()
        self.write("shop.d", SHOP)

    def header(self, *options, env=None):
        self.dtrace("-G", "-s", "shop.d", "-o", "x.o", *options, env={"CC": "", "CFLAGS": "", **(env or {})})
        return self.run_in("readelf", "-hW", "x.o").stdout

    def test_class_by_option_environment_or_object(self):
        self.assertIn("ELF32", self.header("-32"))
        self.assertIn("Intel 80386", self.header("-32"))
        self.assertIn("ELF64", self.header("-64", env={"CFLAGS": "-m32"}))
        self.assertIn("ELF32", self.header(env={"CFLAGS": "-O2 \\\n -m32 -flto"}))
        self.assertIn("ELF32", self.header(env={"CC": "gcc -m32"}))
        self.assertIn("AArch64", self.header(env={"CC": "ccache aarch64-linux-gnu-gcc -pipe"}))
        self.assertIn("AArch64", self.header(env={"CC": "clang --target=aarch64-linux-gnu"}))
        self.assertIn("S/390", self.header(env={"CC": "s390x-linux-gnu-gcc"}))
        self.write("m.c", "int m;\n")
        self.compile(CLANG[0], "--target=aarch64-linux-gnu", "-c", "m.c", "-o", "arm.o")
        self.compile(GCC[0], "-c", "m.c", "-o", "amd.o")
        self.compile(CLANG[0], "--target=i386-linux-gnu", "-c", "m.c", "-o", "i386.o")
        self.assertIn("AArch64", self.header("arm.o", env={"CC": "gcc"}))
        self.assertIn("80386", self.header("i386.o"))
        for objects in (["amd.o", "i386.o"], ["-32", "amd.o"], ["amd.o", "arm.o"]):
            self.dtrace("-G", "-s", "shop.d", "-o", "y.o", *objects, status=1)

    def test_links_for_other_machines(self):
        self.write("m.c", PROGRAM.replace("int main(void)", "int _start(void); int _start(void)"))
        self.dtrace("-h", "-s", "shop.d")
        for target in ("i386-linux-gnu", "aarch64-linux-gnu"):
            for options in ([], ["-fPIC"]):
                with self.subTest(target=target, options=options):
                    self.compile(CLANG[0], f"--target={target}", "-O2", *options, "-c", "m.c")
                    self.dtrace("-G", "-s", "shop.d", "m.o")
                    linker = shutil.which("ld.lld")
                    if not linker:
                        self.skipTest("no ld.lld")
                    self.compile(linker, "m.o", "shop.o", "-o", "m")
                    found = sites(self.folder / "m")
                    self.assertEqual([s.name for s in found], ["sale", "closed"])
                    self.assertEqual(len({s.semaphore for s in found}), 2)


class Solaris(Case):
    def setUp(self):
        super().setUp()
        self.write("shop.d", SHOP)
        self.write("s.c", SOLARIS)

    def test_stubs_where_they_are_called(self):
        for family in FAMILIES:
            for options in ([], ["-O2"], ["-O2", "-fPIC"], ["-O2", "-fno-plt"], ["-flto"]):
                with self.subTest(compiler=family[0], options=options):
                    if "-flto" in options and family is CLANG:
                        continue  # the system's lld reads another version's bitcode
                    self.compile(family[0], *options, "-c", "s.c")
                    self.dtrace("-G", "-s", "shop.d", "s.o")
                    self.compile(family[0], *options, "s.o", "shop.o", "-o", "s")
                    self.assertEqual(self.exit_status("s"), 0)
                    found = {s.name: s for s in sites(self.folder / "s")}
                    self.assertEqual(found["sale"].arguments, "-4@%rdi 8@%rsi")
                    self.assertEqual(found["many"].arguments, "-4@%rdi -8@%rsi -1@%rdx -2@%rcx 4@%r8 8@%r9 -4@8(%rsp) "
                                                              "-8@16(%rsp) 8f@-8(%rsp) 4f@-16(%rsp)")
                    self.assertNotIn("closed", found)
                    code = instructions(self.folder / "s", "__dtrace_shop___sale")
                    self.assertEqual([c.split()[0] for c in code], ["endbr64", "nop", "ret"])

    def test_the_test_reads_the_semaphore(self):
        """A semaphore that is 1 from the start stands for a tracer."""
        self.write("on.c", 'unsigned short shop_sale_semaphore __attribute__ ((visibility("hidden"), section(".probes"))) '
                           "= 1;\n")
        self.compile(GCC[0], "-c", "s.c")
        self.dtrace("-G", "-s", "shop.d", "s.o")
        self.compile(GCC[0], "s.o", "shop.o", "on.c", "-o", "s")
        self.assertEqual(self.exit_status("s"), 1)

    def test_sites_in_stubs_are_marked(self):
        self.compile(GCC[0], "-c", "s.c")
        self.dtrace("-G", "-s", "shop.d", "s.o")
        self.compile(GCC[0], "s.o", "shop.o", "-o", "s")
        self.compile("objcopy", "-O", "binary", "--only-section=.note.dtrace", "--set-section-flags",
                     ".note.dtrace=alloc", "s", "note")
        data, at, stubs = (self.folder / "note").read_bytes(), 0, set()
        while at < len(data):
            _, size, kind = struct.unpack_from("<III", data, at)
            if kind == 3:
                stubs.add(struct.unpack_from("<Q", data, at + 20)[0])
            at += 20 + (size + 3) // 4 * 4
        self.assertEqual(stubs, {s.location for s in sites(self.folder / "s")})

    def test_other_machines(self):
        for target, machine in (("i386-linux-gnu", "-4@4(%esp) 4@8(%esp)"), ("aarch64-linux-gnu", "-4@x0 8@x1")):
            for options in ([], ["-fPIC"]):
                with self.subTest(target=target, options=options):
                    self.write("t.c", SOLARIS.replace("main", "_start"))
                    self.compile(CLANG[0], f"--target={target}", *options, "-c", "-w", "t.c")
                    self.dtrace("-G", "-s", "shop.d", "t.o")
                    if not shutil.which("ld.lld"):
                        self.skipTest("no ld.lld")
                    self.compile("ld.lld", "-pie" if options else "-no-pie", "t.o", "shop.o", "-o", "t")
                    found = {s.name: s for s in sites(self.folder / "t")}
                    self.assertEqual(found["sale"].arguments, machine)
                    self.assertNotEqual(found["sale"].semaphore, 0)

    def test_i386_is_enabled_runs(self):
        self.need_32bit()
        self.write("on.c", 'unsigned short shop_sale_semaphore __attribute__ ((visibility("hidden"), section(".probes"))) '
                           "= 1;\n")
        for options in (["-fPIC", "-pie"], ["-fno-pic", "-no-pie"]):
            self.compile(GCC[0], "-m32", *options, "-c", "s.c")
            self.dtrace("-G", "-s", "shop.d", "s.o")
            self.compile(GCC[0], "-m32", *options, "s.o", "shop.o", "on.c", "-o", "s")
            self.assertEqual(self.exit_status("s"), 1)

    def test_aarch64_is_enabled_runs(self):
        if not (shutil.which("qemu-aarch64") and shutil.which("ld.lld")):
            self.skipTest("no qemu-aarch64 or ld.lld")
        self.write("a.c", """extern void __dtrace_shop___sale(int, char *);
extern int __dtraceenabled_shop___sale(void);
unsigned short shop_sale_semaphore __attribute__ ((visibility("hidden"), section(".probes"))) = 2;
void _start(void) {
	__dtrace_shop___sale(1, 0);
	register long call __asm__ ("x8") = 93;
	register long status __asm__ ("x0") = 40 + __dtraceenabled_shop___sale();
	__asm__ volatile ("svc 0" : : "r" (call), "r" (status));
}
""")
        for options in ([], ["-fPIC"]):
            self.compile(CLANG[0], "--target=aarch64-linux-gnu", *options, "-O1", "-w", "-ffreestanding", "-c", "a.c")
            self.dtrace("-G", "-s", "shop.d", "a.o")
            self.compile("ld.lld", "-pie" if options else "-no-pie", "a.o", "shop.o", "-o", "a")
            self.assertEqual(self.run_in("qemu-aarch64", "./a").returncode, 42)

    def test_calls_in_archives(self):
        self.compile(GCC[0], "-c", "s.c")
        self.compile("ar", "rcs", "libs.a", "s.o")
        self.dtrace("-G", "-s", "shop.d", "libs.a")
        self.compile(GCC[0], "libs.a", "shop.o", "-o", "s")
        self.assertEqual(self.exit_status("s"), 0)

    def test_two_objects_with_the_same_stubs(self):
        self.compile(GCC[0], "-c", "s.c")
        self.dtrace("-G", "-s", "shop.d", "-o", "a.o", "s.o")
        self.dtrace("-G", "-s", "shop.d", "-o", "b.o", "s.o")
        self.compile(GCC[0], "s.o", "a.o", "b.o", "-o", "s")
        self.assertEqual(len(sites(self.folder / "s")), 2)

    def test_unknown_probes_are_errors(self):
        self.write("u.c", "extern void __dtrace_shop___sail(int);\nvoid f(void) { __dtrace_shop___sail(1); }\n")
        self.compile(GCC[0], "-c", "u.c")
        done = self.dtrace("-G", "-s", "shop.d", "-o", "x.o", "u.o", status=1)
        self.assertIn("u.o calls __dtrace_shop___sail", done.stderr)
        self.assertNotIn("x.o", self.files())

    def test_sites_that_contradict_the_definitions_are_errors(self):
        """Objects of another state of the definition file. Those of other providers are none of ours."""
        self.write("old.d", SHOP.replace("closed()", "closed(int)") + "provider other { probe here(); };\n")
        self.dtrace("-h", "-s", "old.d", "-o", "old.h")
        self.write("older.d", "provider shop { probe opened(); };\n")
        self.dtrace("-h", "-s", "older.d")
        for name, text, words in (
                ("count", '#include "old.h"\nvoid f(void) { SHOP_CLOSED(1); }\n',
                 "count.o has a site of shop:closed with 1 arguments; the script defines 0"),
                ("unknown", '#include "older.h"\nvoid f(void) { SHOP_OPENED(); }\n',
                 "unknown.o has a site of shop:opened, which no script defines"),
                ("fine", '#include "old.h"\nvoid f(void) { OTHER_HERE(); SHOP_SALE(1, 0); }\n', None)):
            self.write(f"{name}.c", text)
            for options in (["-O0"], ["-O2"], ["-m32", "-O2"]):
                if self.run_in(GCC[0], *options, "-c", f"{name}.c", "-o", f"{name}.o").returncode != 0:
                    continue
                with self.subTest(object=name, options=options):
                    done = self.dtrace("-G", "-s", "shop.d", "-o", "x.o", f"{name}.o", status=1 if words else 0)
                    if words:
                        self.assertIn(words, done.stderr)
        self.dtrace("-G", "-s", "shop.d", "-s", "older.d", "-o", "x.o", "unknown.o")


if __name__ == "__main__":
    unittest.main()
