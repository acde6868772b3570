process.stderr.write('waiting for a token that nobody sends\n');
process.stdin.resume();
