/etc
/etc/
/etc/hosts 10
an error
