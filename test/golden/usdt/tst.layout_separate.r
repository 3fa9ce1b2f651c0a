-- by link, in .debug
order_t of folder differs member article is 8 bytes at 16 in the program, 8 bytes at 8 in the library
-- by link, beside, without a build ID
order_t of beside differs member article is 8 bytes at 16 in the program, 8 bytes at 8 in the library
-- which says nothing if it has changed
nothing
-- of another build
nothing
-- by build ID
nothing
order_t of named differs member article is 8 bytes at 16 in the program, 8 bytes at 8 in the library
-- what dwz took out
gnu_debugaltlink
order_t of bin/one differs member article is 8 bytes at 16 in the program, 8 bytes at 8 in the library
