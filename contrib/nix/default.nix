# SPDX-License-Identifier: Apache-2.0
# For Nix: nix-build contrib/nix
{ pkgs ? import <nixpkgs> { } }:
pkgs.callPackage ./package.nix { }
