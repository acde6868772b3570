// Says 8 MiB on stderr before it answers, and blocks unless somebody reads it.
import { writeSync } from 'node:fs';
import { serve } from './serve.ts';

for (let i = 0; i < 1024; i++) writeSync(2, `${'noise '.repeat(1365)}\n`);
writeSync(2, 'the last words\n');
serve();
