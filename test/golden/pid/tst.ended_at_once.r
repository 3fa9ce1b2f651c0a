== exec ./ends
exec ./ends: ends`last always ends`main always
== exec ./ends_static
exec ./ends_static: ends_static`last always ends_static`main always
== exec ./ends_library
exec ./ends_library: ends_library`last always libends.so`in_library always ends_library`main always
== exec env ./ends
exec env ./ends: ends`last always ends`main always
== exec env ./ends_library
exec env ./ends_library: ends_library`last always libends.so`in_library always ends_library`main always
== preinit ./ends
preinit ./ends: ends`last always ends`main always
== preinit ./ends_static
preinit ./ends_static: ends_static`last always ends_static`main always
== preinit ./ends_library
preinit ./ends_library: ends_library`last always libends.so`in_library always ends_library`main always
== preinit env ./ends
preinit env ./ends: ends`last always ends`main always
== preinit env ./ends_library
preinit env ./ends_library: ends_library`last always libends.so`in_library always ends_library`main always
== postinit ./ends
postinit ./ends: ends`last always ends`main always
== postinit ./ends_static
postinit ./ends_static: ends_static`last always ends_static`main always
== postinit ./ends_library
postinit ./ends_library: ends_library`last always libends.so`in_library always ends_library`main always
== postinit env ./ends
postinit env ./ends: ends`last always ends`main always
== postinit env ./ends_library
postinit env ./ends_library: ends_library`last always libends.so`in_library always ends_library`main always
== main ./ends
main ./ends: ends`last always ends`main always
== main ./ends_static
main ./ends_static: ends_static`last always ends_static`main always
== main ./ends_library
main ./ends_library: ends_library`last always libends.so`in_library always ends_library`main always
== main env ./ends
main env ./ends: ends`last always ends`main always
== main env ./ends_library
main env ./ends_library: ends_library`last always libends.so`in_library always ends_library`main always
