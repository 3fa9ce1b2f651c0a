#pragma D option nosuch=3
BEGIN { }
