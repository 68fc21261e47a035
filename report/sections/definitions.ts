import { aboutThreshold } from '../../analysis/judge/threshold-about.js';
import { aggregates } from '../../model/aggregate.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { groupedBy } from '../../model/grouped.js';
import type { ThresholdId } from '../../model/threshold-id.js';
import { html, type Markup, nothing, slug } from '../html.js';

const words: Readonly<Record<string, string>> = {
  stable: 'a trial in which every limit was kept by every probe',
  unstable: 'a trial in which a limit was broken, or a participant did not get what it should',
  void: 'a trial that says nothing about the server: the probe side was at fault, or it was cut off',
  baseline: 'the first trial, of the smallest size: what one session alone gets from this server',
  probe: 'a participant whose media is measured',
};

/** The heads of the table of trials; each figure is that of the worst stream. */
export const trialHeads: Readonly<Record<string, string>> = {
  up: 'probes that came up, of those asked for',
  fps: aggregates.fps.about,
  frozen: aggregates.frozenPercent.about,
  loss: aggregates.lossPercent.about,
  rtt: 'mean round trip of a connection',
  delay: `${aggregates.delayMs.about.replace(/: mean of the seconds$/, '')}, ${aggregates.delayP95Ms.about}`,
  server: 'CPU of the media server, mean, in cores',
  host: 'CPU of the probe host, mean, of all its cores',
};

/** Where Loadline's own pages say more. */
const pages: readonly (readonly [topic: string, page: string])[] = [
  ['reading an answer', 'docs/guide/read-an-answer.md'],
  ['limits and verdicts', 'docs/reference/judging.md'],
  ['metrics and their sources', 'docs/reference/measuring.md'],
  ['how sizes are chosen', 'docs/reference/searching.md'],
];

/** A word that shows its definition on hovering and leads to it; the word alone where there is none. */
export function term(word: string, about: string): Markup {
  return about === '' ? html`${word}` : html`<a class="term" href="#def-${slug(word)}" title="${about}">${word}</a>`;
}

export function thresholdTerm(label: string, id: ThresholdId): Markup {
  return term(label, aboutThreshold(id));
}

/** Every word that the report uses as a term: of verdicts, of the table of trials, and of this run's limits. */
export function definitionsSection({ records }: FinishedRun): Markup {
  const results = records.flatMap(({ verdict }) => verdict.thresholds);
  const limits = [...groupedBy(results, ({ label }) => label)].map(
    ([label, [first]]) => [label, first ? aboutThreshold(first.id) : ''] as const,
  );
  const heads = records.length === 0 ? [] : Object.entries(trialHeads);
  const all = [...Object.entries(words), ...limits, ...heads];
  return html`<section aria-labelledby="h-definitions"><h2 id="h-definitions">Definitions</h2>
<dl class="definitions">${all.map(([word, about]) =>
    about === '' ? nothing : html`<div id="def-${slug(word)}"><dt>${word}</dt><dd>${about}</dd></div>`,
  )}</dl>
<p class="note">More in Loadline's own pages: ${pages.map(([topic, page], nth) => html`${nth === 0 ? '' : ', '}${topic} in <code>${page}</code>`)}.</p></section>`;
}
