== INT
begin

end

                1
status 0
== TERM
begin

end

                1
status 0
== HUP
begin

end

                1
status 0
== QUIT
begin

end

                1
status 0
== USR1
begin

end

                1
status 0
== ALRM
begin

end

                1
status 0
== one request
     10 status 0 begin  end                  1 
== timeout
status 124 begin  end                  1 
== ignored SIGINT
begin

end

                1
status 0
== ignored SIGHUP
still there
begin

end

                1
status 0
