# SPDX-License-Identifier: Apache-2.0
"""Random parameter lists in C and C++: for compare.py.

A type is its definition and its leaves: the numbers in it that a program can set and compare byte by byte. Of a union the
largest member is set. Padding is nobody's.
"""
import random


class Leaf:
    """Numbers at `path` of a value: `count` of them, `stride` bytes apart, of which `bytes` mean something."""

    def __init__(self, path, significant, stride, count=1, kind="ABI_INTEGER", bits=0):
        self.path, self.significant, self.stride, self.count, self.kind, self.bits = path, significant, stride, count, kind, bits

    def inside(self, prefix):
        return Leaf(prefix + self.path, self.significant, self.stride, self.count, self.kind, self.bits)


class Type:
    def __init__(self, name, leaves, size, before="", is_by_reference=False, is_reference=False, in_members=True):
        self.name, self.leaves, self.size, self.before = name, leaves, size, before
        self.is_by_reference, self.is_reference, self.in_members = is_by_reference, is_reference, in_members


def number(name, size, kind="ABI_INTEGER", significant=None):
    return Type(name, [Leaf("", significant or size, size, 1, kind)], size)


class Target:
    """What a compiler for a machine and a language has."""

    def __init__(self, machine, compiler, is_cxx):
        self.is_x86, self.is_clang, self.is_cxx = machine == "x86_64", "clang" in compiler, is_cxx
        self.has_new_types = compiler == "clang-19"


def numbers(target):
    """Types of one number, or two."""
    found = [number(name, size) for name, size in (
        ("char", 1), ("signed char", 1), ("unsigned char", 1), ("short", 2), ("unsigned short", 2), ("int", 4), ("unsigned", 4),
        ("long", 8), ("unsigned long", 8), ("long long", 8), ("void *", 8), ("const char *", 8), ("__int128", 16),
        ("unsigned __int128", 16), ("enum abi_enum", 4), ("abi_function_pointer", 8))]
    found.append(number("_Bool" if not target.is_cxx else "bool", 1, "ABI_BOOL"))
    long_double = ("long double", 16, 10 if target.is_x86 else 16)
    floats = [("float", 4, 4), ("double", 8, 8), long_double]
    if target.is_x86:
        floats.append(("__float128", 16, 16))
    if target.has_new_types or not (target.is_clang or target.is_cxx):
        floats.append(("_Float16", 2, 2))
    if target.has_new_types and not target.is_x86:  # there its copies call the compiler's library
        floats.append(("__bf16", 2, 2))
    if target.is_x86 and not target.is_clang and not target.is_cxx:
        floats += [("_Decimal32", 4, 4), ("_Decimal64", 8, 8), ("_Decimal128", 16, 16), ("_Float64x", 16, 10)]
    found += [number(name, size, "ABI_FLOAT", bytes_) for name, size, bytes_ in floats]
    for name, size, bytes_ in floats[:4 if target.is_x86 and not target.is_clang and not target.is_cxx else 3]:
        spelling = "_Complex " + ("_Float128" if name == "__float128" else name)
        found.append(Type(spelling, [Leaf("", bytes_, size, 2, "ABI_FLOAT")], 2 * size))
    for name, size in (("char", 1), ("short", 2), ("int", 4), ("long", 8)):
        found.append(Type("_Complex " + name, [Leaf("", size, size, 2)], 2 * size))
    if target.has_new_types:
        for bits in (5, 8, 24, 33, 37, 64, 65, 100, 128) + ((129, 200, 256) if target.is_x86 else ()):
            size = 1 << max(bits - 1, 7).bit_length() - 3 if bits <= 128 else (bits + 63) // 64 * 8
            found.append(Type(f"_BitInt({bits})", [Leaf("", bits // 8, size, 1, "ABI_BIT_INT")], size))
    if target.is_cxx:
        found += [number("char16_t", 2), number("enum abi_class_enum", 2), number("int abi_base::*", 8),
                  number("decltype(nullptr)", 0)]
        found.append(Type("abi_member_function", [Leaf("", 8, 8, 2)], 16))
    return [one for one in found if one.size]


class Lists:
    def __init__(self, target, seed, count):
        self.target, self.random = target, random.Random(seed)
        self.definitions, self.types, self.functions = [], [], []
        self.numbers = numbers(target)
        self.vectors = [self.vector() for _ in range(24)]
        self.records = []
        for _ in range(max(24, count // 4)):
            self.records.append(self.record())
        self.classes = [self.copied_class(i) for i in range(12)] if target.is_cxx else []
        for number_ in range(count):
            self.functions.append(self.function(number_))

    def name(self, prefix):
        return f"{prefix}{len(self.definitions)}"

    def vector(self):
        element = self.random.choice([("char", 1), ("short", 2), ("int", 4), ("long", 8), ("float", 4), ("double", 8)])
        size = self.random.choice([8, 8, 16, 16, 16, 32, 64, 4])
        size = max(size, element[1])
        name = self.name("vec")
        kind = "ABI_FLOAT" if element[0] in ("float", "double") else "ABI_INTEGER"
        if self.target.is_clang and self.random.random() < 0.1:
            self.definitions.append(f"typedef {element[0]} {name} __attribute__((ext_vector_type(3)));")
            return Type(name, [Leaf("", element[1], element[1], 3, kind)], 4 * element[1])
        self.definitions.append(f"typedef {element[0]} {name} __attribute__((vector_size({size})));")
        return Type(name, [Leaf("", element[1], element[1], size // element[1], kind)], size)

    def member(self, depth):
        """The declaration of a member called {}, and its leaves without its name."""
        choice = self.random.random()
        if choice < 0.12 and depth < 2:
            inner = self.record(depth + 1)
            return f"{inner.name} {{}}", inner.leaves
        if choice < 0.2:
            inner = self.random.choice(self.vectors)
            return f"{inner.name} {{}}", inner.leaves
        inner = self.random.choice(self.numbers[:8] if choice < 0.35 else self.numbers)
        if choice > 0.85 and len(inner.leaves) == 1:
            leaf = inner.leaves[0]
            count = self.random.choice([1, 2, 2, 3, 4, 8])
            array = [Leaf("", leaf.significant, leaf.stride, leaf.count * count, leaf.kind)]
            if self.random.random() < 0.2:
                name = self.name("row")
                self.definitions.append(f"typedef {inner.name} {name}[{count}];")
                return f"{name} {{}}", array
            return f"{inner.name} {{}}[{count}]", array
        if choice > 0.8:
            name = self.name("aligned")
            align = self.random.choice([1, 2, 4, 8, 16, 32])
            self.definitions.append(f"typedef {inner.name} {name} __attribute__((aligned({align})));")
            return f"{name} {{}}", inner.leaves
        return f"{inner.name} {{}}", inner.leaves

    def members(self, depth, is_union):
        lines, leaves = [], []
        alike = self.member(depth) if self.random.random() < 0.3 else None  # homogeneous
        for i in range(self.random.choice([1, 1, 2, 2, 2, 3, 3, 4, 5])):
            choice = self.random.random()
            if choice < 0.12 and not is_union:
                bits = self.random.choice([1, 3, 7, 8, 9, 15, 17, 31, 32])
                unnamed = self.random.random()
                if unnamed < 0.25:
                    lines.append(f"int : {self.random.choice([0, 3, 16, 32])};")
                    continue
                lines.append(f"unsigned m{i} : {bits};")
                leaves.append(Leaf(f".m{i}", 0, 0, 1, "ABI_INTEGER", bits))
                continue
            declaration, inside = alike or self.member(depth)
            attribute = ""
            if self.random.random() < 0.06:
                attribute = f" __attribute__((aligned({self.random.choice([8, 16, 32])})))"
            lines.append(declaration.format(f"m{i}") + attribute + ";")
            member_leaves = [leaf.inside(f".m{i}") for leaf in inside]
            if is_union:
                size = sum(leaf.stride * leaf.count for leaf in member_leaves)
                known = sum(leaf.stride * leaf.count for leaf in leaves)
                leaves = member_leaves if size > known else leaves
            else:
                leaves += member_leaves
        return lines, leaves

    def record(self, depth=0):
        is_union = self.random.random() < 0.15
        lines, leaves = self.members(depth, is_union)
        name = self.name("rec")
        attributes = []
        if self.random.random() < 0.1:
            attributes.append("packed")
        if self.random.random() < 0.1:
            attributes.append(f"aligned({self.random.choice([2, 8, 16, 32, 64])})")
        base = ""
        if self.target.is_cxx and not is_union and self.random.random() < 0.15:
            base = " : " + self.random.choice(["abi_empty", "abi_base"])
            if base.endswith("abi_base"):
                leaves = [Leaf(".base", 4, 4)] + leaves
        special = self.random.random()
        if special < 0.02 and depth == 0:
            lines, leaves = [], []
        elif special < 0.05 and not is_union and depth == 0 and lines:
            lines.append(self.random.choice(["int last[];", "int last[0];"]))
        elif special < 0.08 and self.target.is_cxx and not is_union:
            lines.insert(self.random.randrange(len(lines) + 1), "abi_empty nothing;")
        elif special < 0.1 and self.target.is_cxx and not is_union:
            lines.insert(0, "[[no_unique_address]] abi_empty nothing;")
        keyword = "union" if is_union else "struct"
        attribute = f" __attribute__(({', '.join(attributes)}))" if attributes else ""
        self.definitions.append(f"{keyword}{attribute} {name}{base} {{ {' '.join(lines)} }};")
        return Type(f"{keyword} {name}", leaves, 0)

    def copied_class(self, way):
        """A class of C++ by how it may be copied."""
        lines, leaves = self.members(1, False)
        lines, leaves = [line for line in lines if " : " not in line], [leaf for leaf in leaves if not leaf.bits]
        name = self.name("cls")
        members = [
            "{0}() {{}} {0}(const {0} &o) {{ abi_copy(this, &o, sizeof o); }}",
            "{0}() {{}} ~{0}() {{ abi_use(this); }}",
            "{0}() {{}} {0}(const {0} &) = default; {0}({0} &&) = default; ~{0}() = default;",
            "{0}() {{}} {0}(const {0} &) = delete; {0}({0} &&) = default;",
            "{0}() {{}} {0}(const {0} &) = delete; {0}({0} &&o) {{ abi_copy(this, &o, sizeof o); }}",
            "{0}() {{}} virtual void nothing() {{}}",
            "{0}() {{}} {0}(const {0} &); ",
            "{0}() {{}} {0} &operator=(const {0} &) {{ return *this; }}",
            "{0}() {{}} {0}(int, const {0} &) {{}} {0}(const {0} *) {{}}",
            "{0}() {{}} template <typename T> {0}(const T &, int) {{}}",
            "{0}() {{}} {0}(const {0} &o, int) {{ abi_copy(this, &o, sizeof o); }}",
            "{0}() {{}} explicit operator bool() const {{ return true; }} static int shared;",
        ][way].format(name)
        after = ""
        if way == 6:  # as if it were not declared, but not where it is declared
            after = f" inline {name}::{name}(const {name} &) = default;"
        wrapped = self.random.random() < 0.3
        self.definitions.append(f"struct {name} {{ {members} {' '.join(lines)} }};{after}")
        if not wrapped:
            return Type(name, leaves, 0, in_members=False)
        outer = self.name("cls")
        self.definitions.append(f"struct {outer} {{ {name} in; int behind; }};")
        return Type(outer, [leaf.inside(".in") for leaf in leaves] + [Leaf(".behind", 4, 4)], 0, in_members=False)

    def parameter_type(self):
        choice = self.random.random()
        if choice < 0.5:
            return self.random.choice(self.numbers)
        if choice < 0.6:
            return self.random.choice(self.vectors)
        if choice < 0.68 and self.classes:
            return self.random.choice(self.classes)
        if choice < 0.71 and self.target.is_cxx:
            return Type("int &", [], 8, is_reference=True)
        return self.random.choice(self.records)

    def function(self, number_):
        r = self.random
        parameters = [self.parameter_type() for _ in range(r.choice([1, 2, 3, 4, 5, 6, 8, 10, 12, 14]))]
        if r.random() < 0.15:  # numbers that fill the registers
            filler = r.choice(self.numbers)
            parameters[:0] = [filler] * r.randrange(4, 9)
        result = "void" if r.random() < 0.5 else r.choice(self.numbers + self.vectors + self.records + self.classes).name
        if result == "decltype(nullptr)":
            result = "void"
        is_variadic = r.random() < 0.08
        is_method = self.target.is_cxx and not is_variadic and r.random() < 0.1
        return number_, result, parameters, is_variadic, is_method

    # ------------------------------------------------------------ source

    def header(self):
        lines = ['#include "check.h"', "enum abi_enum { ABI_FIRST, ABI_LAST = 0x7fffffff };",
                 "typedef int (*abi_function_pointer)(int);"]
        if self.target.is_cxx:
            lines += ["enum class abi_class_enum : unsigned short { first };", "struct abi_empty {};",
                      "struct abi_base { int base; };", "typedef int (abi_base::*abi_member_function)(int);"]
        lines += self.definitions
        return "\n".join(lines) + "\n"

    def prototype(self, function, is_definition):
        number_, result, parameters, is_variadic, is_method = function
        listed = ", ".join(f"{one.name} p{i}" if not one.is_reference else f"int &p{i}" for i, one in enumerate(parameters))
        if is_variadic:
            listed += ", ..."
        if is_method:
            return f"struct method{number_} {{ {result} call({listed}) __asm__(\"f{number_}\"); int own; }};\n", f"{result} method{number_}::call({listed})"
        return f"{result} f{number_}({listed or 'void'}) __asm__(\"f{number_}\");\n", f"{result} f{number_}({listed or 'void'})"

    def callees(self, is_used):
        out = [self.header()]
        for function in self.functions:
            declared, defined = self.prototype(function, True)
            used = "".join(f" abi_use(&p{i});" for i in range(len(function[2])) if is_used(function[0], i))
            out.append(declared + defined + f" {{{used} __builtin_trap(); }}\n")
        return "".join(out)

    def callers(self):
        out = [self.header()]
        for number_, result, parameters, is_variadic, is_method in self.functions:
            declared, _ = self.prototype((number_, result, parameters, is_variadic, is_method), False)
            out.append(declared)
            body, arguments = [], []
            for i, one in enumerate(parameters):
                if one.is_reference:
                    arguments.append(f"*(int *)abi_bits(47, seed + {i * 20})")
                    continue
                plain = one.name
                body.append(f"  {plain} a{i};")
                body += self.set(one, f"a{i}", i)
                arguments.append(f"static_cast<{plain} &&>(a{i})" if self.target.is_cxx and not one.in_members else f"a{i}")
            if is_variadic:
                arguments += ["7", "8.5", "9L"]
            called = f"((method{number_} *)abi_bits(47, seed + 990))->call" if is_method else f"f{number_}"
            out.append(f"static void call{number_}(abi_seed seed) {{\n" + "\n".join(body) + f"\n  (void){called}({', '.join(arguments)});\n}}\n")
            out.append(self.comparison(number_, parameters, is_method))
        names = ", ".join(f"{{call{n}, same{n}}}" for n, *_ in self.functions)
        linkage = 'extern "C" ' if self.target.is_cxx else ""
        out.append(f"{linkage}const struct abi_list abi_lists[] = {{{names}}};\n{linkage}const unsigned abi_nr_lists = {len(self.functions)};\n")
        return "".join(out)

    @staticmethod
    def set(one, variable, i):
        lines = []
        for n, leaf in enumerate(one.leaves[:18]):
            seed = f"seed + {i * 20 + n}"
            if leaf.bits:
                lines.append(f"  {variable}{leaf.path} = abi_bits({leaf.bits}, {seed});")
            else:
                lines.append(f"  abi_fill((void *)&{variable}{leaf.path}, {leaf.significant}, {leaf.stride}, {leaf.count}, {leaf.kind}, {seed});")
        return lines

    def comparison(self, number_, parameters, is_method):
        lines = [f"static int same{number_}(int parameter, const void *bytes, abi_seed seed) {{", "  switch (parameter) {"]
        first = 0
        if is_method:
            lines.append("    case 0: return *(unsigned long *)bytes == abi_bits(47, seed + 990);")
            first = 1
        for i, one in enumerate(parameters):
            if one.is_reference:
                lines.append(f"    case {i + first}: return *(unsigned long *)bytes == abi_bits(47, seed + {i * 20});")
                continue
            tests = []
            pointer = f"(*({one.name} *)bytes)"
            if one.name.endswith("*"):
                pointer = f"(*({one.name} *)bytes)"
            for n, leaf in enumerate(one.leaves[:18]):
                seed = f"seed + {i * 20 + n}"
                if leaf.bits:
                    tests.append(f"{pointer}{leaf.path} == abi_bits({leaf.bits}, {seed})")
                else:
                    tests.append(f"abi_same((void *)&{pointer}{leaf.path}, {leaf.significant}, {leaf.stride}, {leaf.count}, {leaf.kind}, {seed})")
            lines.append(f"    case {i + first}: return {' && '.join(tests) or '1'};")
        return "\n".join(lines + ["    default: return 0;", "  }", "}\n"])
