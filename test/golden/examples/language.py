#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples in the tables of a document, and says which do not show what the document says.

usage: language.py DTRACE DOCUMENT [--write]

How a row is read is written at the top of doc/language.md. Examples that are statements run together, a table in one run of
dtrace; the others each in their own. `--write` replaces the `?` of a last column by what the example printed. Where the machine is slow ($slow),
one in eight of the other examples runs, others on each kernel.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "../../style"))
import language  # noqa: E402

SECONDS = 300 if os.environ.get("slow") else 30
AT_ONCE = 3
NOTICE = re.compile(r"dtrace: ((description|script) '.*' matched [0-9]+ probes?|pid [0-9]+ has exited|allowing destructive actions"
                    r"|pid [0-9]+ terminated by SIG[A-Z]+)$")
TAG = re.compile(r"^dtrace: .*?\[((?:D|DTRACEDROP)_[A-Z_0-9]+)\]", re.M)
MARK = "==%d=="
ONE_IN = 8 if os.environ.get("slow") else 1
WHICH = int(os.uname().release.split(".")[1]) % ONE_IN


def squeezed(text):
    return " ".join(text.split())


def what_it_showed(process):
    """Output and messages as the document writes them."""
    shown = [squeezed(process.stdout)]
    tags = TAG.findall(process.stderr)
    messages = [line for line in process.stderr.splitlines() if line and not NOTICE.match(line)]
    if tags:
        shown.append(tags[0])
    elif messages:
        shown.append(squeezed(" ".join(messages)))
    if process.returncode and not tags:
        shown.append(f"exit status {process.returncode if process.returncode > 0 else 128 - process.returncode}")
    return " ".join(filter(None, shown))


def run(arguments, folder, shell=False):
    environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", DTRACE_OPT_ERRTAGS="")
    try:
        return what_it_showed(subprocess.run(arguments, shell=shell, executable="/bin/bash" if shell else None, cwd=folder,
                                             env=environment, text=True, capture_output=True, timeout=SECONDS,
                                             stdin=subprocess.DEVNULL, check=False))
    except subprocess.TimeoutExpired:
        return f"no end within {SECONDS} seconds"


def run_alone(example, folder):
    if example.startswith("-"):
        return run(f"ulimit -c 0; dtrace -q {example}", folder, shell=True)
    if not is_statements(example):
        return run(["dtrace", "-qn", example], folder)
    return run(["dtrace", "-qn", f"BEGIN {{ {example} exit(0); }}"], folder)


def is_statements(example):
    return not example.startswith("-") and "BEGIN" not in example and "::" not in example and "tick-" not in example


def run_together(examples, folder):
    """Output of each, from one program; of each run alone if that program does not compile or faults."""
    program = "".join(f'BEGIN {{ printf("\\n{MARK % number}\\n"); {example} }}\n' for number, example in enumerate(examples))
    (folder / "together.d").write_text(program + "BEGIN { exit(0); }\n")
    process = subprocess.run(["bin/dtrace", "-qs", "together.d"], cwd=folder, text=True, capture_output=True, check=False,
                             timeout=SECONDS, stdin=subprocess.DEVNULL)
    if process.returncode or process.stderr:
        return [run_alone(example, folder) for example in examples]
    parts = re.split("^==[0-9]+==$", process.stdout, flags=re.M)
    return [squeezed(part) for part in parts[1:]]


def is_right(showed, says):
    """Whether an example showed what its last column says."""
    only_code = re.fullmatch(r"`` (.*) ``|``(.*)``|`([^`]*)`", says)
    if says == "nothing":
        return showed == ""
    if only_code:
        return showed == squeezed(next(group for group in only_code.groups() if group is not None))
    if re.search("message|error|D_", says):
        return True
    return showed != "" and not re.search(r"dtrace: |exit status|no end within|\bD_[A-Z]", showed)


def as_cell(showed):
    return "nothing" if not showed else f"``{showed}``" if "`" in showed else f"`{showed}`"


def main(dtrace, document, write=False):
    folder = pathlib.Path.cwd()
    (folder / "bin").mkdir(exist_ok=True)
    link = folder / "bin/dtrace"
    link.unlink(missing_ok=True)
    link.symlink_to(dtrace)
    text = pathlib.Path(document).read_text(encoding="utf-8")
    lines = text.split("\n")
    jobs = []  # pairs of rows and a future with the output of each
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for _, header, rows in language.tables(text):
            at = header.index("example")
            examples = [(number, row, language.code_spans(row[at])[0]) for number, row in rows]
            together = [entry for entry in examples if is_statements(entry[2])]
            if together:
                jobs.append((together, run_together([entry[2] for entry in together], folder)))
            for entry in examples:
                if not is_statements(entry[2]) and entry[0] % ONE_IN == WHICH:
                    jobs.append(([entry], pool.submit(lambda example=entry[2]: [run_alone(example, folder)])))
    nr_wrong = 0
    for entries, result in jobs:
        for (number, row, example), showed in zip(entries, result if isinstance(result, list) else result.result(), strict=True):
            if write and row[-1] == "?":
                lines[number] = language.row_text(row[:-1] + [as_cell(showed)])
            elif not is_right(showed, row[-1]):
                nr_wrong += 1
                print(f"line {number + 1}: {example}\n  showed: {showed}\n  {pathlib.Path(document).name} says: {row[-1]}")
    if write:
        pathlib.Path(document).write_text("\n".join(lines), encoding="utf-8")
    print(f"{pathlib.Path(document).name}: {nr_wrong or 'no'} example{'s' if nr_wrong != 1 else ''} with other output")


main(sys.argv[1], sys.argv[2], "--write" in sys.argv[3:])
