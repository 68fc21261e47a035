import { escapeMarkup } from '../analysis/report/xml.js';

/** Text that is markup already, and so is not escaped again. Made by `html` alone. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | undefined | readonly Part[];

/** A template of markup in which every value is text, whatever it holds. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  let text = strings[0] ?? '';
  values.forEach((value, index) => {
    text += textOf(value) + (strings[index + 1] ?? '');
  });
  return new Markup(text);
}

export const nothing = new Markup('');

function textOf(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return escapeMarkup(String(part));
}

/** The name of an element, for `id` and `href`. */
export function slug(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
