import { el } from './dom.js';

/** What a cell is sorted by: its number where it has one, else its text. */
function keyOf(row: HTMLTableRowElement, column: number): string | number {
  const cell = row.cells[column];
  const text = cell?.dataset.key ?? cell?.textContent ?? '';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
}

/** Heads become buttons that sort, up and then down. */
function sortable(table: HTMLTableElement): void {
  const [body] = table.tBodies;
  for (const [column, head] of [...(table.tHead?.rows[0]?.cells ?? [])].entries()) {
    const button = el('button', { type: 'button', class: 'link' }, head.textContent ?? '');
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      for (const other of table.querySelectorAll('th[aria-sort]')) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const rows = [...(body?.rows ?? [])].sort((a, b) => compare(keyOf(a, column), keyOf(b, column)));
      body?.append(...(down ? rows.reverse() : rows));
    });
    head.replaceChildren(button);
  }
}

/** Rows without every word are hidden, and so is what has no row left. */
function filterOn(word: string): void {
  const words = word.toLowerCase().split(/\s+/);
  for (const section of document.querySelectorAll<HTMLElement>('[data-runs]')) {
    const rows = [...section.querySelectorAll<HTMLTableRowElement>('tbody tr')];
    const title = section.querySelector('h2')?.textContent ?? '';
    for (const row of rows) {
      const text = `${title} ${row.textContent}`.toLowerCase();
      row.hidden = !words.every((one) => text.includes(one));
    }
    section.hidden = rows.every((row) => row.hidden);
  }
}

for (const table of document.querySelectorAll<HTMLTableElement>('[data-runs] table')) sortable(table);
const field = el('input', { type: 'search', placeholder: 'server, tag, scenario' });
field.addEventListener('input', () => filterOn(field.value.trim()));
document.querySelector('header')?.append(el('p', { class: 'controls' }, el('label', {}, 'Show only ', field)));
