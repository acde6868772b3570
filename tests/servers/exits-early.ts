process.stderr.write('\x1b[31mError: NO_TOKEN is not set\x1b[0m\n');
process.exitCode = 7;
