create table t(n integer primary key, s text);
with recursive c(n) as (select 1 union all select n + 1 from c where n < 60) insert into t select n, printf('row %d', n) from c;
create index s on t(s);
begin; delete from t where n % 3 = 0; rollback;
delete from t where n % 7 = 0;
select count(*), sum(n), max(s) from t where s like 'row 1%';
insert into t values (1, 'again');
select a.n, b.s from t a join t b on b.n = a.n + 10 order by a.n desc limit 5;
select json_extract('{"a": [1, 2, {"b": 3}]}', '$.a[2].b');
