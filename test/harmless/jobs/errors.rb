# Ruby raises by longjmp(), and has fibers on stacks of their own.
caught = 0
20.times { |n| begin; raise ArgumentError, n.to_s if n.odd?; rescue ArgumentError => e; caught += e.message.to_i; end }
puts caught
fiber = Fiber.new { |x| 3.times { |n| x = Fiber.yield(x + n) }; raise 'ended' }
p 3.times.map { |n| fiber.resume(n * 10) }
begin; fiber.resume(0); rescue StandardError => e; puts e.class; end
p [3, 1, 2].sort { |a, b| b <=> a }, (catch(:out) { 10.times { |n| throw :out, n if n == 4 } }), 'a1b22'.gsub(/\d+/) { |m| (m.to_i * 2).to_s }
p Enumerator.new { |y| a = 1; loop { y << a; a *= 2 } }.lazy.map { |x| x + 1 }.first(5)
p Thread.new { Thread.current[:x] = 5; 6 * 7 }.value
trap('USR1') { puts 'signal' }
Process.kill('USR1', Process.pid); sleep 0.01
Process.wait(fork { exit!(3) }); p $?.exitstatus
def down(n) = 1 + down(n + 1)
begin; down(0); rescue SystemStackError; puts 'too deep'; end
def ensured; yield; ensure; puts 'ensured'; end
[1].each { ensured { break } }
p (Integer('x') rescue $!.class)
exit 5
