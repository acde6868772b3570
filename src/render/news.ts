/** What a refresh brings, as the markdown of a pull request. Pure; nothing that a server wrote is markup in it. */
import type { Change } from '../measure/diff.ts';
import type { Arrival, News } from '../news.ts';
import { code } from './code.ts';
import { counted, number } from './counted.ts';

function grown(before: number, after: number): string {
  if (before === after) return `still ${counted(after, 'token')}`;
  const by = Math.abs(after - before);
  const share = before === 0 ? '' : `, ${((by / before) * 100).toFixed(1)}%`;
  const word = after > before ? 'grew' : 'shrank';
  return `${word} by ${counted(by, 'token')}${share}: from ${number(before)} to ${number(after)}`;
}

function change({ tool, change, before, after }: Change): string {
  const name = code(tool);
  if (before === null) return `${name} was added: ${counted(after ?? 0, 'token')}`;
  if (after === null) return `${name} was removed: ${counted(before, 'token')}`;
  if (change === 'changed') return `${name} is defined otherwise, at the same size`;
  return `${name} ${grown(before, after)}`;
}

function arrival({ release, before, tools, tokens, difference }: Arrival): string[] {
  if (before === null || difference === null) {
    return [`- **${release}** is new: ${counted(tools, 'tool')}, ${counted(tokens, 'token')}`];
  }
  const from = before.release === release ? '' : ` against ${before.release}`;
  const listed =
    before.tools === tools
      ? counted(tools, 'tool')
      : `${number(before.tools)} to ${counted(tools, 'tool')}`;
  return [
    `- **${release}**${from} ${grown(before.tokens, tokens)}; ${listed}`,
    ...difference.changes.map((one) => `  - ${change(one)}`),
    ...(difference.reordered ? ['  - the tools stand in another order'] : []),
    ...(difference.changes.length === 0 && !difference.reordered
      ? ['  - every tool is as it was; other bytes of the answer differ']
      : []),
  ];
}

/** The report as markdown, ended by a newline. */
export function newsReport({ run, arrivals, unchanged, failed, claims, problems }: News): string {
  const weighed = arrivals.length + unchanged.length + failed.length;
  const lines = [
    run === null ? '# Nothing was weighed' : `# What the refresh of ${run.slice(0, 10)} brings`,
    '',
    `${counted(weighed, 'release')} asked: ${number(arrivals.length)} with another list, ${number(unchanged.length)} unchanged, ${number(failed.length)} failed.`,
  ];
  const part = (heading: string, body: readonly string[]) => {
    if (body.length > 0) lines.push('', `## ${heading}`, '', ...body);
  };
  part('Servers that changed', arrivals.flatMap(arrival));
  part(
    'Not weighed, because',
    failed.map(({ release, code: why, message }) => `- **${release}**: ${code(message)} (${why})`),
  );
  part(
    'Claims that no longer hold as recorded',
    claims.flatMap(({ article, id, seq, was, now }) => [
      `- **${article}**, claim ${id} (#${seq})`,
      `  - was: ${was}`,
      `  - would be: ${now}`,
    ]),
  );
  if (claims.length === 0 && problems.length === 0)
    lines.push('', 'Every claim says what it said.');
  part(
    'What must be mended before it can be recorded',
    problems.map((problem) => `- ${code(problem.replaceAll(/\s*\n\s*/g, ' '))}`),
  );
  return `${lines.join('\n')}\n`;
}
