/**
 * Draws a chart of dots as SVG, at build time. Pure. Places are in per cent of the width and sizes in
 * pixels, so that it fits any screen while its text keeps its size; it needs no style attribute.
 */

export interface DotRow {
  label: string;
  /** Values from 0 on; equal ones share a dot and its words. */
  points: readonly { value: number; text: string; says: string }[];
}

const ROW = 76;
const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

/** One line a row, all on one scale from 0. `finding` is what a reader who sees no picture is told. */
export function dots(rows: readonly DotRow[], finding: string): string {
  const largest = Math.max(1, ...rows.flatMap(({ points }) => points.map(({ value }) => value)));
  const place = (value: number) => `${(2 + (94 * value) / largest).toFixed(2)}%`;
  const drawn = rows.map(({ label, points }, row) => {
    const y = row * ROW + 50;
    const groups = [...Map.groupBy(points, ({ value }) => value)].sort(([a], [b]) => a - b);
    const marks = groups.map(([value, same], i) => {
      const share = value / largest;
      const anchor = share < 0.3 ? 'start' : share > 0.7 ? 'end' : 'middle';
      const words = `${same.map(({ says }) => says).join(', ')} ${same[0]?.text}`;
      return (
        `<circle cx="${place(value)}" cy="${y}" r="5"/>` +
        `<text x="${place(value)}" y="${i % 2 === 0 ? y - 11 : y + 21}" text-anchor="${anchor}">${escaped(words)}</text>`
      );
    });
    return (
      `<g><text class="row" x="2%" y="${y - 30}">${escaped(label)}</text>` +
      `<line x1="2%" x2="96%" y1="${y}" y2="${y}"/>${marks.join('')}</g>`
    );
  });
  return `<svg class="chart" role="img" aria-label="${escaped(finding)}" width="100%" height="${rows.length * ROW + 10}">${drawn.join('')}</svg>`;
}
