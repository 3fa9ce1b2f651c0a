exec ./ends: ends`last 5 ends`main 5
exec ./ends_static: ends_static`last 5 ends_static`main 5
exec ./ends_library: ends_library`last 5 libends.so`in_library 5 ends_library`main 5
exec env ./ends: ends`last 5 ends`main 5
exec env ./ends_library: ends_library`last 5 libends.so`in_library 5 ends_library`main 5
preinit ./ends: ends`last 5 ends`main 5
preinit ./ends_static: ends_static`last 5 ends_static`main 5
preinit ./ends_library: ends_library`last 5 libends.so`in_library 5 ends_library`main 5
preinit env ./ends: ends`last 5 ends`main 5
preinit env ./ends_library: ends_library`last 5 libends.so`in_library 5 ends_library`main 5
postinit ./ends: ends`last 5 ends`main 5
postinit ./ends_static: ends_static`last 5 ends_static`main 5
postinit ./ends_library: ends_library`last 5 libends.so`in_library 5 ends_library`main 5
postinit env ./ends: ends`last 5 ends`main 5
postinit env ./ends_library: ends_library`last 5 libends.so`in_library 5 ends_library`main 5
main ./ends: ends`last 5 ends`main 5
main ./ends_static: ends_static`last 5 ends_static`main 5
main ./ends_library: ends_library`last 5 libends.so`in_library 5 ends_library`main 5
main env ./ends: ends`last 5 ends`main 5
main env ./ends_library: ends_library`last 5 libends.so`in_library 5 ends_library`main 5
