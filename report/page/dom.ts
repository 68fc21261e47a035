type Child = Node | string | undefined | readonly Child[];

/** An element with text and elements in it. Strings become text nodes, so nothing that was measured is ever markup. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  append(element, children);
  return element;
}

const svgNamespace = 'http://www.w3.org/2000/svg';

export function svg(tag: string, attributes: Readonly<Record<string, string>>, ...children: readonly Child[]): Element {
  const element = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  append(element, children);
  return element;
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child as Node | string);
  }
}

/** A table that is made when it is opened: most never are. */
export function lazyTable(label: string, make: () => HTMLTableElement): HTMLDetailsElement {
  const details = el('details', { class: 'second-by-second' }, el('summary', {}, 'Table'));
  details.addEventListener(
    'toggle',
    () => details.append(el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, make())),
    { once: true },
  );
  return details;
}

export function table(heads: readonly string[], rows: readonly (readonly Child[])[]): HTMLTableElement {
  const head = el(
    'tr',
    {},
    heads.map((text) => el('th', { scope: 'col' }, text)),
  );
  const body = rows.map((cells) =>
    el(
      'tr',
      {},
      cells.map((cell, index) => (index === 0 ? el('th', { scope: 'row' }, cell) : el('td', {}, cell))),
    ),
  );
  return el('table', {}, el('thead', {}, head), el('tbody', {}, body));
}

/** Texts one below the other; nothing where there are none. */
export function list(look: string, texts: readonly string[]): HTMLUListElement | undefined {
  if (texts.length === 0) return undefined;
  const items = texts.map((text) => el('li', {}, text));
  return el('ul', { class: look }, items);
}

/** A labelled choice. */
export function choice(
  label: string,
  options: readonly { readonly value: string; readonly text: string }[],
  onChoice: (value: string) => void,
): { readonly label: HTMLLabelElement; readonly select: HTMLSelectElement } {
  const select = el(
    'select',
    {},
    options.map(({ value, text }) => el('option', { value }, text)),
  );
  select.addEventListener('change', () => onChoice(select.value));
  return { label: el('label', {}, `${label} `, select), select };
}

/** Colours of the style sheet, for what is drawn on a canvas. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

type Redraw = () => void;

const drawn = new Set<Redraw>();

/** Calls back when the colours of the page change: dark or light, screen or paper. The returned function ends that. */
export function onTheme(redraw: Redraw): () => void {
  drawn.add(redraw);
  return () => drawn.delete(redraw);
}

/** Begins to watch; called once. */
export function watchTheme(): void {
  const all = () => {
    for (const redraw of drawn) redraw();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', all);
  matchMedia('print').addEventListener('change', all);
}
