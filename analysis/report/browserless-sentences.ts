import type { FinishedRun } from '../../model/finished-run.js';
import { judgedBySentinels } from '../../model/players.js';
import { hasBrowser } from '../../model/probe-kinds.js';
import { plural } from '../wording/wording.js';

/** As measured (docs/lab/native-probes.md, what the server spends). */
const sparedSentence =
  'The server shares the host of its probes: those without a browser spare it some 10 % of its CPU, as no thread of theirs is woken for each packet. If its CPU is what ran out, the limit with browsers on this host is lower by as much; over a network, within 3 % the same.';

/**
 * What probes without a browser mean for the answer: how many there were, and what only browsers among them can say.
 */
export function browserlessSentences({ manifest, records }: FinishedRun): string[] {
  if (!judgedBySentinels(manifest.plan.players)) return [];
  const judged = records.filter(({ verdict, window }) => verdict.kind !== 'void' && window);
  const largest = judged.reduce<(typeof judged)[number] | undefined>(
    (one, other) => (!one || other.probes.length > one.probes.length ? other : one),
    undefined,
  );
  const without = largest?.probes.filter((probe) => !hasBrowser(probe)).length ?? 0;
  if (!largest) return [];
  if (without === 0) {
    return ['No probe without a browser was in a judged trial: its few receivers were all browsers (--sentinels).'];
  }
  const browsers = largest.probes.length - without;
  return [
    `${without} of ${largest.probes.length} probes of the largest judged trial had no browser: what they sent was encoded before the trial, frames that they received were counted when a decoder could have had them, what they would have heard is that of a model of a player, and nothing is said of what they would have decoded or shown. That ${plural(browsers, 'browser')} judged.`,
    'Where both kinds did not see the same, a trial is void (kinds-disagree): in those that were judged they did, as far as there were three of each.',
    ...(manifest.server.sameHost ? [sparedSentence] : []),
  ];
}
