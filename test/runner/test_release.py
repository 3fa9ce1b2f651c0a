#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/release: what it refuses before it makes anything, and that scripts/version_files has every file with the version."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

TREE = pathlib.Path(__file__).resolve().parents[2]
OLD = re.search(r"^project\(dtrace VERSION ([0-9.]+)", (TREE / "CMakeLists.txt").read_text(), re.M).group(1)
NEW = "9.8.7"

# Where older versions stay: each entry of a changelog, each section of NEWS.md, and the version that brought a symbol.
HISTORY = {"debian/changelog": r"^dtrace \(.*", "contrib/rpm/dtrace.spec": r"^\* .*", "NEWS.md": r"^## .*",
           "debian/libdtrace0.symbols": r"^ \(symver\).*"}

# The line of each recipe, written here by itself: not from the list that is tested.
SAYS = {"CMakeLists.txt": f"project(dtrace VERSION {NEW} LANGUAGES C CXX)", "debian/changelog": f"dtrace ({NEW}-1) bookworm; urgency=medium",
        "contrib/rpm/dtrace.spec": f"Version:        {NEW}", "contrib/alpine/APKBUILD": f"pkgver={NEW}",
        "contrib/nix/package.nix": f'  version = "{NEW}";', "contrib/editors/vscode/package.json": f'  "version": "{NEW}",',
        "contrib/daemonset.yaml": f"          image: dtrace:{NEW}"}


def files():
    """What git has; of a tarball, all but what was built."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=TREE, capture_output=True, text=True, check=False)
    names = done.stdout.split("\0")[:-1] if done.returncode == 0 else [
        str(path.relative_to(TREE)) for path in TREE.rglob("*") if path.is_file() and path.relative_to(TREE).parts[0] != "build"]
    return [name for name in names if (TREE / name).is_file() and not (TREE / name).is_symlink()]


class Release(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.copy = pathlib.Path(self.scratch.name) / "tree"
        for name in ("CMakeLists.txt", "NEWS.md", "scripts/release", "scripts/common.sh", "scripts/version_files"):
            self.take(name)

    def take(self, name):
        (self.copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TREE / name, self.copy / name)

    def release(self, *arguments):
        done = subprocess.run([self.copy / "scripts/release", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def refused(self, text, *arguments):
        status, out, err = self.release(*arguments)
        self.assertEqual((status, out), (1, ""), arguments)
        self.assertTrue(err.startswith(f"release: {text}"), err)

    def open_section(self, entries="- One.\n"):
        """NEWS.md as it is between two releases."""
        news = (self.copy / "NEWS.md").read_text()
        (self.copy / "NEWS.md").write_text(f"# NEWS\n\n## Next (not released yet)\n\n{entries}\n" + news[news.index("## "):])

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=nobody", "-c", "user.email=nobody@example.org", *arguments], cwd=self.copy, check=True,
                       stdout=subprocess.DEVNULL)

    def test_help(self):
        status, out, err = self.release("--help")
        self.assertEqual((status, err, out.splitlines()[0]), (0, "", "usage: release [OPTION]... X.Y.Z"))

    def test_arguments(self):
        self.refused("which version?")
        for version in ("1.2", "v1.2.3", "1.2.3.4", "1.2.03", "next"):
            self.refused(f"{version} is no version", version)
        self.refused("one version only", NEW, NEW)
        self.refused("unknown option --nonsense", "--nonsense")
        for skipped in ("11", "", "bookworm"):
            self.refused("--skip wants a release of Debian, 12 or 13", f"--skip={skipped}")
        self.refused("--before wants a folder", "--before", "/nonexistent", NEW)

    def test_version_not_higher(self):
        self.open_section()
        cmake = (self.copy / "CMakeLists.txt").read_text().replace(f"VERSION {OLD} ", "VERSION 1.10.2 ")
        (self.copy / "CMakeLists.txt").write_text(cmake)
        for version in ("1.10.2", "1.9.11", "1.10.1", "0.99.99"):
            self.refused(f"{version} is not higher than 1.10.2", "--set", version)

    def test_news_without_an_entry(self):
        text = "NEWS.md does not begin with a section of entries"
        self.open_section(entries="")
        self.refused(text, "--set", NEW)
        self.open_section()
        news = (self.copy / "NEWS.md").read_text().replace("Next (not released yet)", "Next")
        (self.copy / "NEWS.md").write_text(news)
        self.refused(text, "--set", NEW)

    def test_text_that_is_gone(self):
        for name in files():
            self.take(name)
        self.open_section()
        (self.copy / "contrib/alpine/APKBUILD").write_text("pkgver=7\n")
        self.refused(f'contrib/alpine/APKBUILD has no "pkgver={OLD}"', "--set", NEW)

    def test_clone(self):
        self.open_section()
        self.refused(f"{self.copy} is no git clone", "--dry-run", NEW)
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "all")
        (self.copy / "new").write_text("")
        self.refused("there are changes that are not committed", "--dry-run", NEW)
        (self.copy / "new").unlink()
        (self.copy / "CMakeLists.txt").write_text((self.copy / "CMakeLists.txt").read_text() + "\n")
        self.refused("there are changes that are not committed", "--dry-run", NEW)
        self.git("checkout", "-q", ".")
        self.git("tag", f"v{NEW}")
        self.refused(f"the tag v{NEW} exists", "--dry-run", NEW)

    def test_every_file(self):
        for name in files():
            self.take(name)
        self.open_section()
        self.assertEqual(self.release("--set", NEW), (0, "", ""))
        old = re.compile(rf"(?<![\d.]){re.escape(OLD)}(?![\d]|\.\d)")
        left = []
        for path in self.copy.rglob("*"):
            name = str(path.relative_to(self.copy))
            for line in path.read_text(errors="replace").splitlines() if path.is_file() else ():
                if old.search(line) and not re.match(HISTORY.get(name, "$."), line):
                    left.append(f"{name}: {line}")
        self.assertEqual(left, [], "these have the old version, and scripts/version_files does not name them")
        for name, line in SAYS.items():
            self.assertIn(line, (self.copy / name).read_text().splitlines(), name)
        # The newest entries, each before the older ones.
        for name, pattern, first in (("debian/changelog", HISTORY["debian/changelog"], f"dtrace ({NEW}-1)"),
                                     ("NEWS.md", HISTORY["NEWS.md"], f"## {NEW} (20")):
            headings = re.findall(pattern, (self.copy / name).read_text(), re.M)
            self.assertTrue(headings[0].startswith(first), headings)
        entries = re.findall(r"^\* .*", (self.copy / "contrib/rpm/dtrace.spec").read_text().partition("%changelog\n")[2], re.M)
        self.assertTrue(entries[0].endswith(f" - {NEW}-1"), entries)
        self.assertTrue(len(entries) > 1 and entries[1].endswith(f" - {OLD}-1"), entries)
        # dpkg must understand the changelog. Some machines have no dpkg.
        if shutil.which("dpkg-parsechangelog"):
            done = subprocess.run(["dpkg-parsechangelog", "-l", self.copy / "debian/changelog", "--all"], capture_output=True, text=True, check=True)
            self.assertEqual((done.stderr, f"Version: {NEW}-1" in done.stdout), ("", True))


if __name__ == "__main__":
    unittest.main()
