begin

end


                1
status 0
begin

end


                1
status 0
status 0
begin
status 0
