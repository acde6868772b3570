/** Run by npm before it packs: writes into kit.json what the package needs so that it can make sites. */
import '../src/pipe.ts';
import { writeFileSync } from 'node:fs';
import { KIT } from '../src/kit/pack.ts';
import { packSite } from '../src/kit/site.ts';

const kit = packSite(process.cwd());
writeFileSync(KIT, JSON.stringify(kit));
console.error(`${KIT}: ${Object.keys(kit).length} files`);
