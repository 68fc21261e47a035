import { html, Markup } from '../html.js';

/** Links to every section of a page, by its headings. */
export function contentsBar(page: Markup): Markup {
  const heads = [...page.text.matchAll(/<h2 id="([^"]+)">([^<]+)<\/h2>/g)];
  return html`<nav class="contents" aria-label="Contents"><ul><li><a href="#main">Answer</a></li>${heads.map(
    ([, id, title]) => html`<li><a href="#${id}">${new Markup(title ?? '')}</a></li>`,
  )}</ul></nav>`;
}
