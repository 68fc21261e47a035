import { type ClusterAtSize, clusterAccount } from '../../analysis/report/cluster-account.js';
import { serverColumns } from '../../analysis/report/cluster-section.js';
import { clusterSentences } from '../../analysis/report/cluster-sentences.js';
import { countOf } from '../../analysis/report/headline.js';
import { figureText } from '../../analysis/report/layout.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { html, type Markup, nothing } from '../html.js';

/** The servers of a cluster, one in a row, at the limit and at what failed; nothing where the run was of one server. */
export function clusterSection(run: FinishedRun): Markup {
  const account = clusterAccount(run);
  if (!account) return nothing;
  const { atLimit, above, servers } = account;
  const sizes = [...(atLimit ? [atLimit] : []), ...above];
  if (sizes.length === 0) return nothing;
  const asked = new Map(servers.map((server) => [server.server, server]));
  const row = (size: ClusterAtSize) =>
    size.servers.map((server) => {
      const { hostType, weight, alone } = asked.get(server.server) ?? {};
      const cells = serverColumns.map(({ value }) => value(server));
      return html`<tr><th scope="row">${server.server}</th><td>${countOf(run, size.size)}</td><td>${hostType ?? '–'}</td><td>${weight ?? '–'}</td><td>${alone ?? '–'}</td>${cells.map((cell) => html`<td>${figureText(cell)}</td>`)}<td>${server.verdict}</td></tr>
`;
    });
  return html`<section aria-labelledby="h-cluster"><h2 id="h-cluster">The cluster</h2>
<ul>${clusterSentences(run).map((text) => html`<li>${text}</li>`)}</ul>
<p class="note">A server is full by its share of what it holds alone, else of what it is known to have; a dash is not known.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Table of the servers of the cluster"><table class="trials"><thead><tr><th scope="col">server</th><th scope="col">at</th><th scope="col">host</th><th scope="col">weight</th><th scope="col">holds alone</th>${serverColumns.map(({ head }) => html`<th scope="col">${head}</th>`)}<th scope="col">verdict</th></tr></thead>
<tbody>${sizes.map(row)}</tbody></table></div></section>`;
}
