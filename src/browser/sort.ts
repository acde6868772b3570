/**
 * Makes the headings of a table with `data-sort` into buttons that sort it. Without it the table is in
 * the order that the build gave it, which its own `aria-sort` names.
 */

/** What a cell is sorted by: its number where it is one, else its words. */
const keyOf = (row: HTMLTableRowElement, column: number): { number: number; text: string } => {
  const text = row.cells[column]?.textContent?.trim() ?? '';
  return { number: Number.parseFloat(text.replaceAll(',', '').replace('−', '-')), text };
};

for (const table of document.querySelectorAll<HTMLTableElement>('table[data-sort]')) {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  const body = table.tBodies[0];
  for (const [column, head] of heads.entries()) {
    const numeric = head.classList.contains('align-right');
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'sort';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      // Numbers are looked at from the largest, words from the first letter.
      const first = numeric ? 'descending' : 'ascending';
      const other = numeric ? 'ascending' : 'descending';
      const order = head.ariaSort === first ? other : first;
      for (const one of heads) one.ariaSort = null;
      head.ariaSort = order;
      const sign = order === 'ascending' ? 1 : -1;
      const rows = [...(body?.rows ?? [])].map((row) => ({ row, key: keyOf(row, column) }));
      rows.sort(({ key: a }, { key: b }) => {
        if (!numeric) return sign * a.text.localeCompare(b.text, 'en');
        // What has no value stands at the end either way.
        if (Number.isNaN(a.number) || Number.isNaN(b.number))
          return Number(Number.isNaN(a.number)) - Number(Number.isNaN(b.number));
        return sign * (a.number - b.number);
      });
      body?.append(...rows.map(({ row }) => row));
    });
  }
}
