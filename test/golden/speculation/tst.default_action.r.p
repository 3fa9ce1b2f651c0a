#!/bin/sh
sed -E "s/^ +[0-9]+ +/CPU /"
