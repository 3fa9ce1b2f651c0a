number of transactions actually processed: 1000/1000
SELECT 'first' AS a; 1000
SELECT 'second' AS a; 2000
done 3000
latencies 3000
