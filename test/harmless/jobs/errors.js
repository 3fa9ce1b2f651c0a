// Exceptions, generators, promises, timers and too deep a recursion.
let caught = 0;
for (let n = 0; n < 20; n++) { try { if (n % 2) throw new RangeError(String(n)); } catch (e) { caught += Number(e.message); } }
console.log(caught);
function* numbers() { for (let i = 0; ; i++) { try { yield i * i; } finally { caught++; } } }
for (const n of numbers()) { if (n > 20) break; }
console.log(caught, JSON.stringify([3, 1, 2].sort((a, b) => b - a)), 'a1b22'.replace(/\d+/g, m => m * 2));
try { (function down() { down(); })(); } catch (e) { console.log(e.constructor.name); }
const sum = async list => { let total = 0; for (const n of list) total += await n; return total; };
sum([1, Promise.resolve(2), 3]).then(n => { console.log(n); return Promise.reject(new Error('no')); }).catch(e => console.log(e.message));
setTimeout(() => { console.log(require('crypto').createHash('sha256').update('text').digest('hex')); process.exitCode = 5; }, 1);
