#!/bin/sh
sed "s/ at BPF pc [0-9]*//"
