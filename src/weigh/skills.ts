/** Finds the skills below a folder and weighs them. It only reads, and follows a link only once. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { SkillsReport } from '../measure/report.ts';
import { skillMethod, weighSkill } from '../measure/skill.ts';
import type { Tokenizer } from '../measure/tokens.ts';
import { Problem, refused } from '../problem.ts';

const FILE = 'SKILL.md';
/** Folders that hold no skills of their own but may hold very many files. */
const PASSED_OVER = new Set(['.git', 'node_modules']);
const DEEPEST = 8;
/** Of one SKILL.md, in bytes. */
const LARGEST = 16 * 2 ** 20;

/** `named`: the folder as the user gave it. Throws Problem `skills.*`. */
export async function weighSkills(
  folder: string,
  named: string,
  tokenizer: Tokenizer,
): Promise<SkillsReport> {
  const found = (await findSkills(folder, named)).sort();
  if (found.length === 0) {
    throw new Problem('skills.none', `holds no ${FILE}`, {
      at: named,
      mend: 'Give the folder whose folders are the skills, such as .claude/skills.',
    });
  }
  const report: SkillsReport = {
    kind: 'skills',
    folder: named,
    tokenizer: tokenizer.name,
    method: skillMethod(tokenizer),
    skills: [],
    failed: [],
    totals: { resident: 0, body: 0 },
    warnings: [],
  };
  const places = new Map<string, string>();
  for (const file of found) {
    const path = relative(folder, file);
    const skill =
      (await stat(file)).size > LARGEST
        ? { code: 'skill.too-large', message: 'larger than 16 MiB', mend: 'Split it.' }
        : weighSkill(await readFile(file, 'utf8'), { folder: basename(dirname(file)), tokenizer });
    if ('mend' in skill) {
      const { code, message, mend } = skill;
      report.failed.push({ path, code, message, mend });
      continue;
    }
    const { name, resident, body } = skill;
    report.skills.push({ name, path, resident, body });
    report.totals.resident += resident;
    report.totals.body += body;
    const warn = (code: string, message: string) =>
      report.warnings.push({ code, message: `${path}: ${message}` });
    for (const { code, message } of skill.warnings) warn(code, message);
    const other = places.get(name);
    if (other !== undefined) warn('skill.same-name', `${name} is also the name of ${other}`);
    else places.set(name, path);
  }
  report.skills.sort((a, b) => b.resident - a.resident);
  return report;
}

async function findSkills(folder: string, named: string): Promise<string[]> {
  const seen = new Set<string>();
  const walk = async (at: string, depth: number): Promise<string[]> => {
    const real = await realpath(at);
    if (seen.has(real) || depth > DEEPEST) return [];
    seen.add(real);
    const found: string[] = [];
    for (const name of (await readdir(at)).sort()) {
      const path = join(at, name);
      // A link that leads nowhere is no skill.
      const kind = await stat(path).catch(() => null);
      if (kind?.isFile() && name === FILE) found.push(path);
      else if (kind?.isDirectory() && !PASSED_OVER.has(name)) {
        found.push(...(await walk(path, depth + 1)));
      }
    }
    return found;
  };
  try {
    return await walk(folder, 0);
  } catch (cause) {
    throw refused('skills.unreadable', cause, named);
  }
}
