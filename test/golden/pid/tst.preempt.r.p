#!/bin/sh
sed 's/  */ /g'
