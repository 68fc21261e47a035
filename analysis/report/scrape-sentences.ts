import type { FinishedRun } from '../../model/finished-run.js';
import type { ScrapeAccount } from '../../model/scrape-account.js';
import { those } from '../../model/those.js';
import { sum } from '../statistics/statistics.js';
import { plural } from '../wording/wording.js';

/** What the pages of metrics gave, and what they did not: their gaps are no verdict on anything. */
export function scrapeSentences({ manifest: { plan }, records }: FinishedRun): string[] {
  if (!plan.evidence) return [];
  const accounts = records.flatMap(({ scrapes = [] }) => scrapes);
  const named = new Set(accounts.flatMap((one) => one.named));
  return [
    ...plan.evidence.urls.flatMap((url) =>
      pageSentences(
        url,
        accounts.filter(({ source }) => source === url),
      ),
    ),
    ...(accounts.some(({ failed, asked }) => failed < asked) && accounts.every(saysNothingOfLoad) ? [noLoad] : []),
    ...plan.evidence.metrics
      .filter((metric) => !named.has(metric))
      .map((metric) => `Evidence: ${metric} had a value on no page.`),
  ];
}

/** Neither of a host nor of a process, and nothing says which part of the page would be it. */
const saysNothingOfLoad = ({ host, part, unclear }: ScrapeAccount): boolean =>
  !host && part === undefined && unclear.length === 0;
const noLoad =
  "Evidence: no page tells of CPU or memory. A page of the server's host does (node_exporter, cAdvisor), or its process where it runs here (--server-pid).";

function pageSentences(url: string, accounts: readonly ScrapeAccount[]): string[] {
  const [asked, failed, wentBack] = (['asked', 'failed', 'wentBack'] as const).map((what) =>
    sum(accounts.map((one) => one[what])),
  );
  if (!asked) return [`Evidence of ${url}: no trial came to ask it.`];
  const [why] = accounts.flatMap((one) => one.why ?? []);
  const told = [...new Set(accounts.flatMap(({ host, part }) => those(host && "the server's host", part)))];
  return [
    failed === asked
      ? `Evidence of ${url}: none, in ${plural(asked, 'scrape')}: ${why}.`
      : `Evidence of ${url}: ${toldText(told)}${gapText(failed ?? 0, asked, why)}.`,
    ...(wentBack
      ? [
          `In ${plural(wentBack, 'scrape')} of ${url} a counter had gone back: what it counts was started anew, and that second is a gap.`,
        ]
      : []),
    ...[...new Set(accounts.flatMap(({ unclear }) => unclear))].map((text) => `Evidence of ${url}: ${text}.`),
  ];
}

function toldText(told: readonly string[]): string {
  return told.length === 0 ? 'none of the metrics that are known by name' : told.join(', ');
}

function gapText(failed: number, asked: number, why: string | undefined): string {
  return failed === 0
    ? ''
    : `; ${failed} of ${plural(asked, 'scrape')} failed, the first because ${why}: gaps in its curves`;
}
