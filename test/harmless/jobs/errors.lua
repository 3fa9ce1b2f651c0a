-- Lua raises errors, and yields across pcall(), by longjmp(); luajit by unwinding.
local caught = 0
for n = 1, 20 do
  local ok, message = pcall(function() if n % 2 == 0 then error({ n = n }) end; return n end)
  if not ok then caught = caught + message.n end
end
print(caught)
print(select(2, pcall(error, 'text', 0)), xpcall(function() return nil .. 'x' end, function(m) return #m > 0 and 'handled' end))
local values = {}
local c = coroutine.wrap(function() for n = 1, 5 do pcall(coroutine.yield, n * n) end; error('ended', 0) end)
for _ = 1, 5 do values[#values + 1] = c() end
print(table.concat(values, ' '), pcall(c))
local inner = coroutine.create(function() local x = coroutine.yield(1); error(x, 0) end)
print(coroutine.resume(inner), coroutine.resume(inner, 'from outside'), coroutine.status(inner))
table.sort(values, function(a, b) return a > b end)
print(values[1], ('x'):rep(3), ('a,b'):gsub(',', ';'), (('%d'):format(7)))
print(pcall(table.sort, { 3, 1, 2 }, function() error('in a comparison', 0) end))
print(pcall(string.rep))
local deep = 0
local function down() deep = deep + 1; return (('x'):gsub('x', down)) end
print((pcall(down)), deep > 100)
print((load('return 1 +')))
os.exit(6)
