import { html, Markup, nothing } from './html.js';
import { inlinedScript, scriptDigest } from './inlined-script.js';

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
