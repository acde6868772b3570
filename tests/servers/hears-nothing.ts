// Never reads its input, so that it does not see it end; ignores SIGTERM; says in a file who it is.
import { writeFileSync } from 'node:fs';

process.on('SIGTERM', () => {});
setInterval(() => {}, 1000);
writeFileSync(process.argv[2] ?? '', `${process.pid}\n`);
