/**
 * What every script does when what it writes is read no further, as by `head`: it goes on in silence
 * and ends as it would have ended. It must never stop half-way: what is being recorded stays whole.
 */
for (const stream of [process.stdout, process.stderr]) {
  let told = false;
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || told) return;
    told = true;
    // A full disk, say: whoever reads the output lacks some of it, and must hear so.
    process.on('exit', () => {
      process.exitCode ||= 1;
    });
    if (stream === process.stdout) {
      process.stderr.write(`the output could not be written: ${code} [output.unwritable]\n`);
    }
  });
}
