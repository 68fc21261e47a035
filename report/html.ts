import { escapeMarkup } from '../analysis/report/xml.js';
import { inlinedScript, scriptDigest } from './inlined-script.js';

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

export interface PageAssets {
  readonly style: string;
  readonly version: string;
  /** What works the page; it is whole without. */
  readonly script?: string;
}

/** A page that is made of stored runs and needs nothing else: no other file, no network. */
export function staticPage(title: string, main: Markup, { style, version, script }: PageAssets): string {
  const scripts = script === undefined ? '' : ` script-src '${scriptDigest(script)}';`;
  const policy = `default-src 'none';${scripts} style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title} · Loadline</title><style>${new Markup(style.replaceAll('</', '<\\/'))}</style></head>
<body><main id="main">${main}
</main><footer>Made by Loadline ${version} from stored runs. This file loads nothing and sends nothing.</footer>${script === undefined ? nothing : html`<script>${new Markup(inlinedScript(script))}</script>`}</body></html>
`.text;
}
