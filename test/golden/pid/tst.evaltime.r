== exec pie
exec pie: read word. main 1, program_begins 1, 
== exec fixed
exec fixed: read word. main 1, program_begins 1, 
== exec static
exec static: read word. main 1, program_begins 1, 
== exec static_pie
exec static_pie: read word. main 1, program_begins 1, 
== preinit pie
preinit pie: read word. library_begins 1, main 1, program_begins 1, 
== preinit fixed
preinit fixed: read word. library_begins 1, main 1, program_begins 1, 
== preinit static
preinit static: read word. library_begins 1, main 1, program_begins 1, 
== preinit static_pie
preinit static_pie: read word. library_begins 1, main 1, program_begins 1, 
== postinit pie
postinit pie: read word. main 1, program_begins 1, 
== postinit fixed
postinit fixed: read word. main 1, program_begins 1, 
== postinit static
postinit static: read word. library_begins 1, main 1, program_begins 1, 
== postinit static_pie
postinit static_pie: read word. library_begins 1, main 1, program_begins 1, 
== main pie
main pie: read word. main 1, 
== main fixed
main fixed: read word. main 1, 
== main static
main static: read word. main 1, 
== main static_pie
main static_pie: read word. main 1, 
