import type { StudyAnswer } from '../analysis/study/study-answer.js';
import { numberNear, plural } from '../analysis/wording/wording.js';
import type { StudiedServer } from '../model/study.js';
import { html, type Markup, nothing } from './html.js';

/** What each server was given, and the files that its command names: folded, for it is long. */
export function setUpSection({ servers = [], tables }: StudyAnswer): Markup {
  if (servers.length === 0) return nothing;
  const productsOf = (name: string) => {
    const own = tables.flatMap(({ cells }) => cells).filter(({ server }) => server === name);
    return [...new Set(own.flatMap(({ product }) => product ?? []))].join(', ');
  };
  return html`<section aria-labelledby="h-set-up"><h2 id="h-set-up">How each server was set up</h2>
<p class="note">As it was when the study began. What is known for a secret is hidden. Of files only a hash is told.</p>
${servers.map((server) => setUpOf(server, productsOf(server.name)))}</section>`;
}

function setUpOf(server: StudiedServer, product: string): Markup {
  const { name, start, stop, cores, memoryBytes, cpus, plan, files } = server;
  const limits = [
    ...(cores === undefined ? [] : [plural(cores, 'core')]),
    ...(memoryBytes === undefined ? [] : [`${numberNear(memoryBytes / 1e6)} MB of memory`]),
  ];
  const rows: readonly (readonly [string, string])[] = [
    ['version', product || 'not known: no run names it'],
    ['started by', start ?? 'not by the study'],
    ...(stop === undefined ? [] : [['stopped by', stop] as const]),
    ...(start === undefined ? [] : [['control group', limits.length === 0 ? 'no limit' : limits.join(', ')] as const]),
    ...(cpus === undefined ? [] : [['may run on cores', cpus] as const]),
    ...Object.entries(plan).map(
      ([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    ),
    ...files.map(({ path, sha256 }) => [path, sha256 ? `sha256:${sha256}` : 'no hash'] as const),
  ];
  return html`<details><summary>${name}</summary>
<div class="scroll" tabindex="0" role="region" aria-label="How ${name} was set up"><table class="facts"><tbody>${rows.map(([key, text]) => html`<tr><th scope="row">${key}</th><td><code>${text}</code></td></tr>`)}</tbody></table></div></details>`;
}
