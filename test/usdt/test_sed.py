# SPDX-License-Identifier: Apache-2.0
"""Build systems edit the header before they include it. Each row is one project's edit, with a provider of its kind."""
import unittest

from usdt_tools import FAMILIES, Case, provider_notes, sites

# name, provider file, sed arguments, statements, probes that must be found
EDITS = [
    ("postgres", "provider postgresql { probe query__start(const char *); probe sort__done(bool, long); };",
     ["-e", "s/POSTGRESQL_/TRACE_POSTGRESQL_/g", "-e", "s/( *char \\*/(const char */g", "-e",
      "s/, *char \\*/, const char */g"],
     'TRACE_POSTGRESQL_QUERY_START("q"); if (TRACE_POSTGRESQL_SORT_DONE_ENABLED()) TRACE_POSTGRESQL_SORT_DONE(1, 2L);',
     ["query__start", "sort__done"]),
    ("python", "provider python { probe line(const char *, const char *, int); probe gc__done(long); };",
     ["s/PYTHON_/PyDTrace_/"],
     'PyDTrace_LINE("f", "g", 3); if (PyDTrace_GC_DONE_ENABLED()) PyDTrace_GC_DONE(4L);', ["line", "gc__done"]),
    ("php", "provider php { probe request__startup(char*, char*); probe error(char *m, char *f, int l); };",
     ["s,PHP_,DTRACE_,g"],
     'DTRACE_REQUEST_STARTUP("a", "b"); if (DTRACE_ERROR_ENABLED()) DTRACE_ERROR("a", "b", 1);',
     ["request__startup", "error"]),
    ("ruby", "provider ruby { probe method__entry(const char *c, const char *m, const char *f, int l); probe raise(); };",
     ["-e", "s/RUBY_/RUBY_DTRACE_/g", "-e", "s/PROBES_H_TMP/RUBY_PROBES_H/g", "-e", "s/(char \\*/(const char */g", "-e",
      "s/, char \\*/, const char */g"],
     'RUBY_DTRACE_METHOD_ENTRY("a", "b", "c", 1); if (RUBY_DTRACE_RAISE_ENABLED()) RUBY_DTRACE_RAISE();',
     ["method__entry", "raise"]),
    ("erlang", "provider erlang { probe dist__port_busy(char *node, int n); probe spawn(char *p); };",
     ["-e", "/^#define ERLANG_[A-Z0-9_]*(.*)/y/ABCDEFGHIJKLMNOPQRSTUVWXYZ/abcdefghijklmnopqrstuvwxyz/"],
     'erlang_dist_port_busy("n", 1); if (erlang_spawn_enabled()) erlang_spawn("p");', ["dist__port_busy", "spawn"]),
    ("memcached", "provider memcached { probe get(int c, char *key, int n); probe slab(void *p, size_t s); };",
     ["-e", "s/\t/ /g", "-e", "s/void \\*/const void */g", "-e", "s/char \\*/const char */g"],
     'MEMCACHED_GET(1, "k", 2); if (MEMCACHED_SLAB_ENABLED()) MEMCACHED_SLAB("x", sizeof (int));', ["get", "slab"]),
    ("perl", "provider perl { probe sub__entry(const char *, char *, int); probe phase__change(char *); };",
     ["-e", "/const/!s/char \\*/const char */g"],
     'PERL_SUB_ENTRY("a", "b", 1); if (PERL_PHASE_CHANGE_ENABLED()) PERL_PHASE_CHANGE("x");',
     ["sub__entry", "phase__change"]),
    ("glib", "provider glib { probe mem__alloc(void *, unsigned, unsigned, unsigned); };",
     ["s/define _SDT_HAS_SEMAPHORES 1/undef _SDT_HAS_SEMAPHORES/"],
     "if (GLIB_MEM_ALLOC_ENABLED()) GLIB_MEM_ALLOC(0, 1U, 2U, 3U);", ["mem__alloc"]),
]


class Sed(Case):
    def test_every_known_edit(self):
        for name, definition, edit, statements, probes in EDITS:
            with self.subTest(project=name):
                self.write("probes.d", definition + "\n")
                self.dtrace("-h", "-s", "probes.d", "-o", "probes.h.tmp")
                edited = self.run_in("sed", *edit, "probes.h.tmp")
                self.assertEqual(edited.returncode, 0, edited.stderr)
                self.write("probes.h", edited.stdout)
                program = f'#include "probes.h"\n#include "probes.h"\nint main(void) {{ {statements} return 0; }}\n'
                self.write("m.c", program)
                self.write("m.cc", program)
                for family in FAMILIES:
                    for compiler, source in zip(family, ("m.c", "m.cc")):
                        self.compile(compiler, "-O2", "-Wall", "-Wextra", "-Werror", source, "-o", "m")
                        self.assertEqual(self.exit_status("m"), 0)
                        self.assertEqual([s.name for s in sites(self.folder / "m")], probes)
                        self.assertTrue(all(s.semaphore for s in sites(self.folder / "m")))
                        self.assertEqual(provider_notes(self.folder / "m"), 1)

    def test_the_object_of_G_joins_an_edited_header(self):
        """The names that both must share are not among those that edits change."""
        name, definition, edit, statements, probes = EDITS[0]
        self.write("probes.d", definition + "\n")
        self.dtrace("-h", "-s", "probes.d", "-o", "probes.h.tmp")
        self.write("probes.h", self.run_in("sed", *edit, "probes.h.tmp").stdout)
        self.write("m.c", f'#include "probes.h"\nint main(void) {{ {statements} return 0; }}\n')
        self.compile(FAMILIES[0][0], "-O2", "-c", "m.c")
        self.dtrace("-G", "-s", "probes.d", "-o", "probes.o", "m.o")
        self.compile(FAMILIES[0][0], "m.o", "probes.o", "-o", "m")
        found = sites(self.folder / "m")
        self.assertEqual([s.name for s in found], probes)
        self.assertEqual(len({s.semaphore for s in found}), 2)
        self.assertEqual(provider_notes(self.folder / "m"), 1)

    def test_guard_follows_the_output_name(self):
        self.write("a.d", "provider a { probe p(); };\n")
        self.dtrace("-h", "-s", "a.d", "-o", "probes.h.tmp")
        self.assertIn("#ifndef _PROBES_H_TMP\n#define _PROBES_H_TMP\n", self.read("probes.h.tmp"))
        out = self.dtrace("-h", "-s", "a.d", "-o", "-").stdout
        self.assertIn("#ifndef _A_H\n", out)

    def test_lines_hold_one_name_of_the_provider(self):
        self.write("a.d", "provider myprov { probe one(int); probe two__b(char *, void *); };\n")
        self.dtrace("-h", "-s", "a.d")
        text = self.read("a.h")
        for line in text.splitlines():
            self.assertLessEqual(line.count("MYPROV_"), 1, line)
        self.assertNotIn("#include", text)
        self.assertNotIn("_DTRACE_VERSION", text)
        self.assertNotIn("_SDT_HAS_SEMAPHORES", text)


if __name__ == "__main__":
    unittest.main()
