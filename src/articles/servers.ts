/** Reads content/servers.yaml: which MCP servers are weighed, at which exact version. Pure. */
import { z } from 'zod';
import { readYaml, textProblems } from './yaml.ts';

const FILE = 'content/servers.yaml';

const Server = z.strictObject({
  /** The name that figures and pages know it by. */
  name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'a name of a-z, 0-9 and single hyphens'),
  /** The npm package. */
  package: z.string().regex(/^(?:@[a-z0-9._-]+\/)?[a-z0-9._-]+$/, 'an npm package name'),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/, 'an exact version (no range, no tag)'),
  /** What it depends on is installed as it stood on that day, so that the same list comes anywhere. */
  as_of: z.iso.date('a day, YYYY-MM-DD'),
  /** Which of the package's commands, where it has several. */
  bin: z.string().optional(),
  args: z.array(z.string()).default([]),
  /** Placeholders for what the server insists on; never a secret. */
  env: z.record(z.string().regex(/^[A-Z_][A-Z0-9_]*$/), z.string()).default({}),
  licence: z.string(),
  /** Why it is among the weighed. */
  why: z.string().optional(),
});
export type ServerContent = z.infer<typeof Server>;

/** The servers in the order of the file. Throws the first Problem, with its file, line and column. */
export function parseServers(text: string): ServerContent[] {
  const yaml = readYaml(
    FILE,
    text,
    z.array(Server).superRefine((servers, ctx) => {
      for (const [i, { name }] of servers.entries()) {
        if (servers.findIndex((other) => other.name === name) < i) {
          ctx.addIssue({ code: 'custom', path: [i, 'name'], message: `two servers named ${name}` });
        }
      }
    }),
  );
  const [problem] = [...textProblems(FILE, text), ...yaml.problems];
  if (problem !== undefined) throw problem;
  return yaml.value ?? [];
}
