# SPDX-License-Identifier: Apache-2.0
{ lib, stdenv, cmake, ninja, pkg-config, python3, llvmPackages_19, libbpf, elfutils, fmt, cli11, nlohmann_json
, protozero, libmicrohttpd, curl, libxml2, xz, zlib, zstd }:

stdenv.mkDerivation {
  pname = "dtrace";
  version = "0.1.0";
  src = lib.cleanSourceWith {
    src = ../..;
    filter = path: type: toString path != toString ../../build;
  };

  nativeBuildInputs = [ cmake ninja pkg-config python3 ];
  buildInputs = [
    llvmPackages_19.llvm libbpf elfutils fmt cli11 nlohmann_json protozero libmicrohttpd curl libxml2 xz zlib zstd
  ];

  # Nix's wrapper of clang adds options that the target bpf does not take. LLVM's static libraries are in its main output.
  cmakeFlags = [
    "-DCLANG_EXECUTABLE=${llvmPackages_19.clang-unwrapped}/bin/clang"
    "-DBUILD_TESTING=OFF"
    "-DDTRACE_BENCH=OFF"
    "-DCMAKE_UNITY_BUILD=ON"
    "-DDTRACE_PYTHON_DIR=${python3.sitePackages}"
  ];

  # Tracing needs root and this kernel.
  doInstallCheck = true;
  installCheckPhase = ''
    $out/bin/dtrace -V
    $out/bin/dtrace -h -s $src/doc/usdt/jobs_probes.d -o - | grep -q JOBS_PUSH_ENABLED
  '';

  meta = {
    description = "Dynamic tracing of the kernel and of programs, in the D language";
    license = [ lib.licenses.asl20 lib.licenses.gpl2Only ];
    platforms = [ "x86_64-linux" ];
    mainProgram = "dtrace";
  };
}
