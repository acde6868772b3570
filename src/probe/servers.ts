/**
 * The list of servers that are weighed, as content/servers.yaml gives it. Pure: it takes the text
 * and must never read a file or start anything.
 */
import { z } from 'zod';
import { readYaml } from '../articles/yaml.ts';
import { EXACT_VERSION } from '../packages/install.ts';
import { Problem } from '../problem.ts';

export const SERVERS_FILE = 'content/servers.yaml';

const Server = z.strictObject({
  /** Names the capture, the figures and the place. */
  name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'a name of a-z, 0-9 and -'),
  package: z.string().min(1),
  version: z.string().regex(EXACT_VERSION, 'an exact version such as 2.5.2'),
  /** Which of the package's commands; may be left out where there is one. */
  bin: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
  /** Placeholders: they are written to the ledger. */
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).default({}),
  /** SPDX id of the package's licence. */
  licence: z.string().min(1),
  why: z.string().optional(),
});
export type Server = z.infer<typeof Server>;

/** The servers in the order of the file, or what is wrong with it, each with line and column. */
export function readServers(
  text: string,
  file = SERVERS_FILE,
): { servers: Server[]; problems: Problem[] } {
  const yaml = readYaml(file, text, z.array(Server));
  const servers = yaml.value ?? [];
  const problems = [...yaml.problems];
  servers.forEach(({ name }, index) => {
    if (servers.findIndex((other) => other.name === name) === index) return;
    problems.push(
      new Problem('servers.duplicate', `two servers are named ${name}`, {
        at: yaml.at(index, 'name'),
        mend: 'Give one of them another name: captures and figures go by it.',
      }),
    );
  });
  return { servers, problems };
}
