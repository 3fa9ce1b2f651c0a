# SPDX-License-Identifier: Apache-2.0
"""What people build with: <sys/sdt.h>, make, CMake, pkg-config, and the examples of the tutorial."""
import os
import shutil
import subprocess
import unittest

from usdt_tools import DTRACE, FAMILIES, GCC, SOURCE, Case, sites

SDT = SOURCE / "usdt/include"
USES = """\
#define SDT_USE_VARIADIC
#include <sys/sdt.h>
__attribute__ ((noinline)) int f(int a, char *b, long c);
int f(int a, char *b, long c)
{
	DTRACE_PROBE(prov, none);
	DTRACE_PROBE2(prov, two, a, b);
	STAP_PROBE12(prov, twelve, a, b, c, a, b, c, a, b, c, 1, 2, "x");
	STAP_PROBEV(prov, variadic0);
	STAP_PROBEV(prov, variadic3, a, b, c);
	__asm__ volatile (STAP_PROBE_ASM(prov, inside, STAP_PROBE_ASM_TEMPLATE(2)) : : STAP_PROBE_ASM_OPERANDS(2, a, b));
	return 0;
}
int main(void) { return f(1, 0, 2); }
"""


class Sdt(Case):
    def test_macros(self):
        for family in FAMILIES:
            for compiler, name in zip(family, ("s.c", "s.cc")):
                self.write(name, USES)
                self.compile(compiler, "-O2", "-Wall", "-Wextra", "-Werror", f"-I{SDT}", "-c", name, "-o", "s.o")
                self.compile(compiler, "s.o", "-o", "s")
                self.assertEqual(self.exit_status("s"), 0)
                found = {s.name: s for s in sites(self.folder / "s.o")}
                self.assertEqual(set(found), {"none", "two", "twelve", "variadic0", "variadic3", "inside"})
                self.assertEqual(found["two"].arguments, "-4@%edi 8@%rsi")
                self.assertEqual(found["variadic3"].arguments, "-4@%edi 8@%rsi -8@%rdx")
                self.assertEqual(len(found["twelve"].arguments.split()), 12)
                self.assertTrue(all(s.semaphore == 0 for s in found.values()))

    def test_old_standards_and_warnings(self):
        self.write("o.c", '#include <sys/sdt.h>\nint main(void) { DTRACE_PROBE1(p, one, 1); STAP_PROBE(p, none); return 0; }\n')
        for family in FAMILIES:
            for standard in ("c90", "c11", "c2x"):
                self.compile(family[0], f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{SDT}", "o.c",
                             "-o", "o")

    def test_semaphores_are_the_programs(self):
        self.write("m.c", """#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
unsigned short p_one_semaphore __attribute__ ((section (".probes")));
int main(void) { if (p_one_semaphore) return 1; DTRACE_PROBE1(p, one, 1); return 0; }
""")
        self.compile(GCC[0], f"-I{SDT}", "m.c", "-o", "m")
        self.assertNotEqual(sites(self.folder / "m")[0].semaphore, 0)

    def test_assembler(self):
        self.write("a.S", "#include <sys/sdt.h>\n\t.text\nSTAP_PROBE_ASM(prov, hand, -4@%edi 8@8(%rsp))\nSTAP_PROBE(prov, bare)\n")
        for compiler in (GCC[0], FAMILIES[-1][0]):
            self.compile(compiler, f"-I{SDT}", "-c", "a.S", "-o", "a.o")
            found = [(s.name, s.arguments) for s in sites(self.folder / "a.o")]
            self.assertEqual(found, [("hand", "-4@%edi 8@8(%rsp)"), ("bare", "")])

    def test_assembler_with_arguments(self):
        """Operands are arguments, and may be made by macros, as glibc makes them."""
        self.write("g.S", """#include <sys/sdt.h>
#define LP_SIZE 8
#define RDI_LP rdi
#define MODULE_NAME libc
#define LIBC_PROBE(name, n, ...) LIBC_PROBE_1 (MODULE_NAME, name, n, __VA_ARGS__)
#define LIBC_PROBE_1(library, name, n, ...) STAP_PROBE##n (library, name, __VA_ARGS__)
	.text
	LIBC_PROBE (setjmp, 3, LP_SIZE@%RDI_LP, -4@%esi, LP_SIZE@%rdx)
	STAP_PROBE3 (libc, longjmp, 8@%rdi, 8@8(%rax,%rbx,4), -4@$-1)
	DTRACE_PROBE1 (libc, one, LP_SIZE@(%rsp))
	STAP_PROBE12 (libc, twelve, 1@%al, 1@%al, 1@%al, 1@%al, 1@%al, 1@%al, 1@%al, 1@%al, 1@%al, 1@%al, 1@%al, 2@%bx)
	STAP_PROBE_ASM (libc, text, LP_SIZE@%RDI_LP -4@%esi)
""")
        for compiler in (GCC[0], FAMILIES[-1][0]):
            self.compile(compiler, f"-I{SDT}", "-c", "g.S", "-o", "g.o")
            found = [(s.provider, s.name, s.arguments) for s in sites(self.folder / "g.o")]
            self.assertEqual(found, [("libc", "setjmp", "8@%rdi -4@%esi 8@%rdx"),
                                     ("libc", "longjmp", "8@%rdi 8@8(%rax,%rbx,4) -4@$-1"), ("libc", "one", "8@(%rsp)"),
                                     ("libc", "twelve", "1@%al " * 11 + "2@%bx"), ("libc", "text", "8@%rdi -4@%esi")])

    def test_beside_generated_headers(self):
        self.write("p.d", "provider p { probe one(int); };\n")
        self.dtrace("-h", "-s", "p.d")
        for order in ('#include "p.h"\n#include <sys/sdt.h>\n', '#include <sys/sdt.h>\n#include "p.h"\n'):
            self.write("b.c", order + "int main(void) { P_ONE(1); DTRACE_PROBE1(q, two, 2); return P_ONE_ENABLED(); }\n")
            self.compile(GCC[0], f"-I{SDT}", "-Wall", "-Werror", "b.c", "-o", "b")
            self.assertEqual(len(sites(self.folder / "b")), 2)


class Builds(Case):
    def setUp(self):
        super().setUp()
        shutil.copytree(SOURCE / "doc/usdt", self.folder / "examples")
        self.here = self.folder / "examples"
        shutil.copy(SOURCE / "usdt/build/empty_probes.awk", self.here)
        shutil.copy(SOURCE / "usdt/build/dtrace.m4", self.here / "autoconf")

    def check(self, folder):
        self.assertEqual({s.name for s in sites(folder / "server")}, {"connection__open", "request__start", "request__done"})
        self.assertEqual({s.name for s in sites(folder / "jobs")}, {"push", "run__start", "run__done"})
        self.check_runs(folder)

    def check_runs(self, folder):
        for command in (["server", "0", "6"], ["jobs", "5"]):
            self.assertEqual(self.run_in(folder / command[0], *command[1:]).returncode, 0)

    def check_without_probes(self, folder):
        self.assertEqual(sites(folder / "server") + sites(folder / "jobs"), [])
        self.check_runs(folder)

    def test_make(self):
        self.compile("make", "-C", "examples", f"DTRACE={DTRACE}", "CFLAGS=-O2 -Wall -Werror")
        self.check(self.here)

    def test_make_without_dtrace(self):
        self.compile("make", "-C", "examples", "DTRACE=no-such-dtrace", "CFLAGS=-O2 -Wall")
        self.check_without_probes(self.here)

    def test_cmake(self):
        modules = SOURCE / "usdt/build"
        self.compile("cmake", "-S", "examples", "-B", "out", f"-DCMAKE_MODULE_PATH={modules}", f"-DDTRACE_EXECUTABLE={DTRACE}")
        self.compile("cmake", "--build", "out")
        self.check(self.folder / "out")

    def test_cmake_with_the_preprocessor(self):
        self.write("x/CMakeLists.txt", """cmake_minimum_required(VERSION 3.16)
project(x C)
include(DTraceProbes)
add_executable(a a.c)
target_include_directories(a PRIVATE inc inc2)
target_compile_definitions(a PRIVATE KIND=long MORE=1)
dtrace_add_provider(a p.d CPP HEADER probes.h)
add_executable(b a.c)
dtrace_add_provider(b q.d CPP HEADER probes.h)
""")
        self.write("x/inc2/t.h", "#define T int\n")
        self.write("x/p.d", '#include "t.h"\nprovider p { probe x(T, KIND); };\n#if !MORE\n#error\n#endif\n')
        self.write("x/q.d", "provider p { probe x(int, int); };\n")
        self.write("x/a.c", '#include "probes.h"\nint main(void) { P_X(1, 2L); return 0; }\n')
        self.compile("cmake", "-S", "x", "-B", "out", f"-DCMAKE_MODULE_PATH={SOURCE}/usdt/build",
                     f"-DDTRACE_EXECUTABLE={DTRACE}")
        self.compile("cmake", "--build", "out")
        self.assertEqual(len(sites(self.folder / "out/a")) + len(sites(self.folder / "out/b")), 2)

    def test_cmake_interface_library(self):
        """The header reaches what links the library, in other folders too, before that is compiled."""
        self.write("x/CMakeLists.txt", """cmake_minimum_required(VERSION 3.16)
project(x C)
include(DTraceProbes)
add_library(probes INTERFACE)
dtrace_add_provider(probes p.d)
add_subdirectory(sub)
""")
        self.write("x/p.d", "provider p { probe x(int); };\n")
        self.write("x/sub/CMakeLists.txt", "add_executable(a a.c)\ntarget_link_libraries(a PRIVATE probes)\n")
        self.write("x/sub/a.c", '#include "p.h"\nint main(void) { P_X(1); return 0; }\n')
        for generator in ("Unix Makefiles", "Ninja"):
            self.compile("cmake", "-G", generator, "-S", "x", "-B", generator, f"-DCMAKE_MODULE_PATH={SOURCE}/usdt/build",
                         f"-DDTRACE_EXECUTABLE={DTRACE}")
            self.compile("cmake", "--build", generator)
            self.assertEqual(len(sites(self.folder / generator / "sub/a")), 1)

    def shown(self, first_line):
        """The code of usdt.md that begins with that line."""
        lines = (SOURCE / "doc/usdt.md").read_text(encoding="utf-8").split("\n")
        begin = lines.index("    " + first_line)
        return "".join(line[4:] + "\n" for line in lines[begin:lines.index("", begin)])

    def test_cmake_as_documented(self):
        """The CMakeLists.txt of usdt.md builds, and so does its library."""
        library = self.shown("add_library(queue SHARED queue.cc)")
        self.write("x/CMakeLists.txt", self.shown("cmake_minimum_required(VERSION 3.16)") + library)
        for name in ("jobs", "queue"):
            self.write(f"x/{name}_probes.d", f"provider {name} {{ probe x(int); }};\n")
            self.write(f"x/{name}.cc", f'#include "{name}_probes.h"\nint main() {{ {name.upper()}_X(1); }}\n')
        self.write("x/cmake/FindDTrace.cmake",
                   f'set(DTRACE_EXECUTABLE {DTRACE})\ninclude({SOURCE}/usdt/build/DTraceProbes.cmake)\nset(DTrace_FOUND 1)\n')
        self.compile("cmake", "-S", "x", "-B", "out", f"-DCMAKE_MODULE_PATH={self.folder}/x/cmake")
        self.compile("cmake", "--build", "out")
        self.assertEqual(len(sites(self.folder / "out/jobs")), 1)
        self.assertEqual(len(sites(self.folder / "out/libqueue.so")), 1)

    def test_cmake_without_target(self):
        """A provider before its target is refused with the order that is right."""
        self.write("x/CMakeLists.txt", """cmake_minimum_required(VERSION 3.16)
project(x C)
include(DTraceProbes)
dtrace_add_provider(jobs p.d)
add_executable(jobs a.c)
""")
        done = subprocess.run(["cmake", "-S", "x", "-B", "out", f"-DCMAKE_MODULE_PATH={SOURCE}/usdt/build",
                               f"-DDTRACE_EXECUTABLE={DTRACE}"], cwd=self.folder, capture_output=True, text=True, check=False)
        said = " ".join(done.stderr.split())
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("dtrace_add_provider(jobs p.d): there is no target jobs. Write add_executable(jobs ...) or "
                      "add_library(jobs ...) before it.", said)

    def test_cmake_without_dtrace(self):
        modules = SOURCE / "usdt/build"
        missing = self.compile("cmake", "-S", "examples", "-B", "missing", f"-DCMAKE_MODULE_PATH={modules}",
                               "-DDTRACE_EXECUTABLE=DTRACE_EXECUTABLE-NOTFOUND", "-DCMAKE_FIND_ROOT_PATH=/nonexistent",
                               "-DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=ONLY", f"-DDTRACE_AWK_EXECUTABLE={shutil.which('awk')}",
                               f"-DCMAKE_C_COMPILER={GCC[0]}", f"-DCMAKE_CXX_COMPILER={GCC[1]}",
                               f"-DCMAKE_MAKE_PROGRAM={shutil.which('make')}")
        self.assertIn("dtrace was not found", missing.stderr)
        done = self.compile("cmake", "-S", "examples", "-B", "out", f"-DCMAKE_MODULE_PATH={modules}", "-DDTRACE_EXECUTABLE=")
        self.assertNotIn("dtrace was not found", done.stderr)
        self.compile("cmake", "--build", "out")
        self.check_without_probes(self.folder / "out")

    def test_meson(self):
        if not shutil.which("meson"):
            self.skipTest("no meson")
        self.compile("env", f"PATH={os.path.dirname(DTRACE)}:{os.environ['PATH']}", "meson", "setup", "out", "examples")
        self.compile("ninja", "-C", "out")
        self.check(self.folder / "out")

    def test_meson_without_dtrace(self):
        if not shutil.which("meson"):
            self.skipTest("no meson")
        self.compile("meson", "setup", "out", "examples", "-Ddtrace=disabled")
        self.compile("ninja", "-C", "out")
        self.check_without_probes(self.folder / "out")

    def test_autoconf_example(self):
        if not shutil.which("autoreconf"):
            self.skipTest("no autoconf")
        self.compile("sh", "-c", "cd examples/autoconf && autoconf")
        for options, check in (([f"DTRACE={DTRACE}"], self.check), (["--disable-dtrace"], self.check_without_probes)):
            with self.subTest(options=options):
                self.compile("sh", "-c", 'cd examples/autoconf && ./configure "$@" && make clean all', "sh", *options)
                check(self.here / "autoconf")

    def test_autoconf(self):
        if not shutil.which("autoreconf"):
            self.skipTest("no autoconf")
        shutil.copy(SOURCE / "usdt/build/dtrace.m4", self.folder)
        self.write("configure.ac", "AC_INIT([x], [1])\nm4_include([dtrace.m4])\nAC_PROG_CC\nDTRACE_PROBES\nAC_OUTPUT\n")
        self.compile("autoconf")
        done = self.compile("env", f"DTRACE={DTRACE}", "./configure", "--enable-dtrace")
        self.assertRegex(done.stdout, "makes headers that compile... yes")
        self.assertNotEqual(self.run_in("env", "DTRACE=/bin/false", "./configure", "--enable-dtrace").returncode, 0)

    def test_autoconf_makes_headers_with_and_without_dtrace(self):
        if not shutil.which("autoreconf"):
            self.skipTest("no autoconf")
        shutil.copy(SOURCE / "usdt/build/dtrace.m4", self.folder)
        self.write("configure.ac", "AC_INIT([x], [1])\nm4_include([dtrace.m4])\nAC_PROG_CC\nDTRACE_PROBES\n"
                                   "AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n")
        self.write("Makefile.in", "SHELL = /bin/sh\nDTRACE_HEADER = @DTRACE_HEADER@\n"
                                  "x: x.c probes.h\n\tcc -o x x.c\nprobes.h: probes.d\n\t$(DTRACE_HEADER) probes.d $@\n")
        self.write("probes.d", "provider shop {\n\tprobe sale__done(int);\n\tprobe b();\n};\n")
        self.write("x.c", '#include "probes.h"\nint main(void) { SHOP_SALE_DONE(1); SHOP_B(); return SHOP_B_ENABLED(); }\n')
        self.compile("autoconf")
        for options, count in ((["--enable-dtrace", f"DTRACE={DTRACE}"], 2), (["--disable-dtrace"], 0), (["DTRACE="], 0)):
            with self.subTest(options=options):
                self.compile("./configure", *options)
                self.compile("make", "-B")
                self.assertEqual(self.exit_status("x"), 0)
                self.assertEqual(len(sites(self.folder / "x")), count)
        empty = self.run_in("awk", "-f", SOURCE / "usdt/build/empty_probes.awk", "probes.d").stdout
        self.assertEqual(self.read("probes.h"), empty)


if __name__ == "__main__":
    unittest.main()
