#!/bin/sh
# Addresses in scratch differ from run to run.
sed 's/(0xf[0-9a-f]*)/(ADDRESS)/'
