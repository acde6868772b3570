/** What a folder of skills keeps in context and holds back. Pure; shows no captured text unprintably. */
import type { SkillsReport } from '../measure/report.ts';
import { counted, number } from './counted.ts';
import { printable } from './printable.ts';
import { percent, sections, table } from './report-table.ts';

export function renderSkills(report: SkillsReport): string {
  const { folder, skills, failed, totals, tokenizer, warnings } = report;
  const all = totals.resident + totals.body;
  const share = all === 0 ? '' : `, ${percent((100 * totals.resident) / all)} of all`;
  const rows = skills.map(({ name, resident, body }) => [
    printable(name),
    number(resident),
    number(body),
  ]);
  return sections(
    [
      `${printable(folder)}: ${counted(skills.length, 'skill')}`,
      `  resident  ${counted(totals.resident, 'token')} of names and descriptions${share}`,
      `  on use    ${counted(totals.body, 'token')} of bodies`,
      `  counted in ${tokenizer}`,
    ],
    skills.length === 0 ? [] : table([['skill', 'resident', 'on use'], ...rows]),
    failed.flatMap(({ path, code, message, mend }) => [
      `failed: ${printable(path)}: ${printable(message)} [${code}]`,
      `  ${printable(mend)}`,
    ]),
    warnings.map(({ code, message }) => `warning: ${printable(message)} [${code}]`),
  );
}
