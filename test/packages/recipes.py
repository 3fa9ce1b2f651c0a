# SPDX-License-Identifier: Apache-2.0
"""The recipes of packages fit the tree, as far as that shows without a build: versions, build dependencies, which package has
which installed file, syntax, and that a tarball is the same twice. What a tool is missing for is named and not tried.
usage: recipes.py CMAKE BUILD_FOLDER SOURCE_FOLDER LIBDIR
"""
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CMAKE, BUILD, SOURCE, LIBDIR = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
wrong = []


def text(name):
    return (SOURCE / name).read_text()


def check_versions():
    version = re.search(r'^project\(dtrace VERSION ([0-9.]+)', text('CMakeLists.txt'), re.M).group(1)
    for row in text('scripts/version_files').splitlines():
        if not row.startswith('#'):
            _, name, wanted = row.split(None, 2)
            if wanted.replace('@', version) not in text(name):
                wrong.append(f'{name}: not version {version}')


def check_build_dependencies():
    """What `run` installs to build with is what the package builds with; names of one thing, and tools of ours, apart."""
    scripts = re.search(r'build_packages=\((.*?)\)', text('scripts/packages.sh'), re.S).group(1).split()
    field = re.search(r'^Build-Depends:\n((?: .*\n)+)', text('debian/control'), re.M).group(1)
    control = {re.sub(r'[ (:|].*', '', line.strip().rstrip(',')) for line in field.splitlines()}
    control = {'pkg-config' if name == 'pkgconf' else name for name in control}
    control -= {'debhelper-compat', 'dh-sequence-python3', 'python3', 'libbpf-dev'}
    of_scripts = set(scripts) - {'binutils', 'ccache', 'g++', 'git', 'xz-utils'}
    if control != of_scripts:
        wrong.append(f'debian/control and scripts/packages.sh build with different packages: {sorted(control ^ of_scripts)}')


def check_contents():
    """Every file that is installed is in one package, or named as in none."""
    patterns = text('debian/not-installed').split()
    for file in sorted((SOURCE / 'debian').glob('*.install')):
        patterns += [line.split()[0] for line in file.read_text().splitlines() if line.strip()]
    patterns = [pattern.replace('usr/lib/*/', f'usr/{LIBDIR}/') for pattern in patterns]
    used = set()
    with tempfile.TemporaryDirectory() as root:
        subprocess.run([CMAKE, '--install', BUILD, '--prefix', '/usr'], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, 'DESTDIR': root})
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), root)
                # The release's preset has <sys/sdt.h> elsewhere.
                path = path.replace('usr/include/dtrace/sys/', 'usr/include/sys/')
                fitting = {p for p in patterns if fnmatch.fnmatchcase(path, p) or path.startswith(p + '/')}
                used |= fitting
                if not fitting:
                    wrong.append(f'{path} is installed and in no package of debian/')
    for pattern in patterns:
        if pattern not in used and not pattern.startswith('doc/'):
            wrong.append(f'debian/: nothing that is installed fits {pattern}')


def run(tool, *arguments):
    if not shutil.which(tool):
        print(f'{tool} is not installed: not tried')
        return
    done = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, cwd=SOURCE)
    if done.returncode != 0:
        wrong.append(f'{tool} {arguments[-1]}: {done.stderr or done.stdout}')


def check_syntax():
    run('rpmspec', '-P', 'contrib/rpm/dtrace.spec')
    run('sh', '-n', 'contrib/alpine/APKBUILD')
    run('shellcheck', '-s', 'dash', 'contrib/alpine/APKBUILD')
    if Path('/usr/share/dpkg/architecture.mk').exists():
        run('make', '-n', '-f', 'debian/rules', 'override_dh_auto_configure')
    for name in ('default', 'package'):
        run('nix-instantiate', '--parse', f'contrib/nix/{name}.nix')


def check_tarball():
    if not (SOURCE / '.git').exists() or not shutil.which('git'):
        print('not a clone: no tarball')
        return
    sums = []
    for _ in range(2):
        done = subprocess.run([SOURCE / 'scripts/tarball'], capture_output=True, text=True, env={**os.environ, 'XZ_OPT': '-0'})
        if done.returncode != 0:
            wrong.append(f'scripts/tarball: {done.stderr}')
            return
        tarball = Path(done.stdout.strip())
        subprocess.run(['sha256sum', '-c', '--quiet', f'{tarball.name}.sha256'], cwd=tarball.parent, check=True)
        sums.append(Path(f'{tarball}.sha256').read_text())
        tarball.unlink()
    if sums[0] != sums[1]:
        wrong.append('scripts/tarball: the same commit twice gives different files')


check_versions()
check_build_dependencies()
check_contents()
check_syntax()
check_tarball()
print('\n'.join(wrong))
sys.exit(bool(wrong))
