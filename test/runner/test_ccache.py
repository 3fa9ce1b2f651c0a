#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cmake/ccache.cmake: a second clone in another folder compiles nothing again, gdb finds the sources of the clone that it runs in, and
builds with paths of their own keep them."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TREE = pathlib.Path(__file__).resolve().parents[2]
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(shared C CXX)
list(APPEND CMAKE_MODULE_PATH "%s")
include(ccache)
include_directories(${CMAKE_SOURCE_DIR})
add_library(c STATIC c.c)
add_library(cpp STATIC a.cpp b.cpp)
set_target_properties(cpp PROPERTIES UNITY_BUILD ON)
add_executable(program main.cpp)
target_link_libraries(program PRIVATE c cpp)
"""
SOURCES = {"c.c": "int of_c(void) { return __FILE__[0] == 0; }\n", "a.cpp": "#include <a.h>\nint of_a() { return 1; }\n", "a.h": "int of_a();\nint of_b();\n",
           "b.cpp": "int of_b() { return 2; }\n",
           "main.cpp": '#include <a.h>\n#include <cstdio>\nextern "C" int of_c();\n'
            'int main() { std::printf("%s %d\\n", __FILE__, of_a() + of_b() + of_c()); }\n'}
# CMake does not try the compilers first.
QUICK = tuple(f"-DCMAKE_{language}_{what}=1" for language in ("C", "CXX") for what in ("COMPILER_WORKS", "ABI_COMPILED"))


@unittest.skipUnless(shutil.which("ccache") and shutil.which("ninja"), "ccache or ninja is not installed")
class Ccache(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name).resolve()
        # Settings of this machine's cache are left out.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CCACHE_")}
        self.environment = {**environment, "CCACHE_DIR": str(self.scratch / "cache"), "CCACHE_CONFIGPATH": "/dev/null"}

    def run_tool(self, *arguments, cwd=None):
        return subprocess.run(arguments, cwd=cwd, env=self.environment, check=True, capture_output=True, text=True, timeout=120).stdout

    def clone(self, folder, *options):
        """Builds in a new clone of the project; returns how many compilations ran, and how many the cache had."""
        top = self.scratch / folder
        top.mkdir(parents=True)
        (top / "CMakeLists.txt").write_text(PROJECT % (TREE / "cmake"))
        for name, text in SOURCES.items():
            (top / name).write_text(text)
        self.run_tool("ccache", "-z")
        self.run_tool("cmake", "-G", "Ninja", "-S", top, "-B", top / "build/one", *QUICK, *options)
        self.run_tool("ninja", "-C", top / "build/one")
        count = dict(line.split() for line in self.run_tool("ccache", "--print-stats").splitlines())
        return int(count["cache_miss"]), int(count["direct_cache_hit"]) + int(count["preprocessed_cache_hit"])

    def bytes_of(self, folder):
        return (self.scratch / folder / "build/one/program").read_bytes()

    def test_shared(self):
        options = ("-DCMAKE_BUILD_TYPE=RelWithDebInfo",)
        self.assertEqual(self.clone("first", *options), (3, 0))
        self.assertEqual(self.clone("in/another/folder", *options), (0, 3))
        self.assertEqual(self.bytes_of("first"), self.bytes_of("in/another/folder"))
        self.assertNotIn(str(self.scratch).encode(), self.bytes_of("first"))
        # Tests find their files by __FILE__ in the build folder.
        self.assertEqual(self.run_tool(self.scratch / "first/build/one/program"), "../../main.cpp 3\n")
        if shutil.which("gdb"):
            for folder in ("first", "in/another/folder"):
                top = self.scratch / folder
                for file in ("main.cpp", "a.cpp", "c.c"):
                    command = ("gdb", "-q", "-batch", "-nx", "-ex", f"list {file}:1", "-ex", "info source", top / "build/one/program")
                    self.assertIn(f"Located in {top}/{file}\n", self.run_tool(*command, cwd=top), file)
                    self.assertIn(f"Located in {top}/{file}\n", self.run_tool(*command[:4], "-d", top, *command[4:], cwd="/"), file)

    def test_for_a_debugger(self):
        options = ("-DCMAKE_BUILD_TYPE=Debug",)
        self.clone("first", *options)
        self.clone("second", *options)
        for folder in ("first", "second"):
            self.assertIn(f"{self.scratch}/{folder}/build/one".encode(), self.bytes_of(folder))

    def test_packages(self):
        """The same bytes with ccache and without."""
        options = ("-DCMAKE_BUILD_TYPE=RelWithDebInfo", *(f"-DCMAKE_{language}_FLAGS=-ffile-prefix-map={self.scratch}/package=." for language in ("C", "CXX")))
        self.assertEqual(self.clone("package", *options), (3, 0))
        with_ccache = self.bytes_of("package")
        shutil.rmtree(self.scratch / "package")
        self.assertEqual(self.clone("package", *options, "-DCMAKE_C_COMPILER_LAUNCHER=", "-DCMAKE_CXX_COMPILER_LAUNCHER="), (0, 0))
        self.assertEqual(with_ccache, self.bytes_of("package"))


if __name__ == "__main__":
    unittest.main()
