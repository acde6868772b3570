/** Checks every link of dist/ that stays within the site; a step of `npm test`. */
import '../src/pipe.ts';
import { globSync, readFileSync } from 'node:fs';
import { DIST } from '../src/build.ts';
import { isServed } from '../src/endpoints.ts';
import { brokenLinks } from '../src/links.ts';
import { site } from '../src/site.ts';

const paths = globSync(['**/*', '.well-known/**/*'], { cwd: DIST, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`);
const files = new Map(
  paths.map((path) => [
    path.slice(path.indexOf(DIST) + DIST.length),
    /\.(?:html|md|json|css|txt|xml)$/.test(path) ? readFileSync(path, 'utf8') : '',
  ]),
);
const broken = brokenLinks({ files, origin: site.origin, base: site.base, isServed });
process.stdout.write(
  `${[`${files.size} files, ${broken.length} broken links`, ...broken].join('\n')}\n`,
);
if (broken.length > 0) process.exitCode = 1;
