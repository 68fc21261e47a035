import type { AggregateName } from '../../model/aggregate.js';
import { isEncodable } from '../../model/codec.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { those } from '../../model/those.js';
import type { ProbeRecord, TrialRecord } from '../../model/trial.js';
import { median } from '../statistics/statistics.js';
import { numberNear, plural } from '../wording/wording.js';
import { countOf } from './headline.js';

/** Two kinds of probes on the same server see the same, within this: more is said. */
const alikePercent = 10;
/** Where none of one kind noticed anything and so many of the other did, they disagree. */
const sufferingShare = 0.5;
const compared = [
  { name: 'bitrateKbps', label: 'received video', unit: 'kbit/s' },
  { name: 'fps', label: 'received frame rate', unit: 'fps' },
] as const;

interface Kind {
  readonly word: 'full' | 'encoded';
  readonly probes: readonly ProbeRecord[];
}

/** What is expected of pages is what one room showed. */
const stillChanged =
  'Warning: the room that was looked at first had not come to rest in 20 s. More or less may arrive in trials than what is expected of them.';

/**
 * What encoded probes mean for the answer: whether full ones were there, which suffered, and whether they agree. Of
 * visited pages, whether it is known what must arrive.
 */
export function kindSentences(run: FinishedRun): string[] {
  const { players, media } = run.manifest.plan;
  if (players.kind === 'visiting' && players.stillChanges) return [stillChanged];
  if (players.kind !== 'encoded') return [];
  if (!isEncodable(media.videoCodec)) {
    return [`${media.videoCodec} cannot be sent encoded before: all probes were full, at the cost of full ones.`];
  }
  if (players.fullShare === 0) {
    return [
      'All probes sent media that was encoded before; no full probe was there to compare with (--full-share 10%).',
    ];
  }
  const trials = run.records.filter(({ verdict, window }) => verdict.kind !== 'void' && window);
  const apart = trials.flatMap((trial) => disagreements(run, trial));
  const suffered = trials.flatMap((trial) => sufferers(run, trial));
  const alike = trials.filter(isCompared).length;
  const uncompared = trials.length - alike;
  return those(
    ...suffered,
    ...apart,
    apart.length === 0 && alike > 0 && `Full and encoded probes saw the same in ${plural(alike, 'judged trial')}.`,
    uncompared > 0 &&
      `Nothing was compared in ${plural(uncompared, 'judged trial')}: no full probe received video, or no encoded one.`,
  );
}

function isCompared(trial: TrialRecord): boolean {
  return compared.some(({ name }) => kindsOf(trial).every((kind) => medianOf(trial, kind, name) !== undefined));
}

function kindsOf({ probes }: TrialRecord): readonly [Kind, Kind] {
  return [
    { word: 'full', probes: probes.filter(({ encoded }) => !encoded) },
    { word: 'encoded', probes: probes.filter(({ encoded }) => encoded) },
  ];
}

function sufferingOf({ probes }: Kind, { verdict }: TrialRecord): number {
  const named = new Set(verdict.reasons.map(({ probe }) => probe));
  return probes.filter(({ participant }) => named.has(participant.id)).length;
}

function sufferers(run: FinishedRun, trial: TrialRecord): string[] {
  if (trial.verdict.kind !== 'unstable') return [];
  const parts = kindsOf(trial).map((kind) => `${sufferingOf(kind, trial)} of ${kind.probes.length} ${kind.word}`);
  return [`${placeOf(run, trial)}: noticed by ${parts.join(' and ')} probes.`];
}

function disagreements(run: FinishedRun, trial: TrialRecord): string[] {
  const [full, encoded] = kindsOf(trial);
  if (full.probes.length === 0 || encoded.probes.length === 0) return [];
  const shares = [full, encoded].map((kind) => sufferingOf(kind, trial) / kind.probes.length);
  const one = Math.min(...shares) === 0 && Math.max(...shares) >= sufferingShare;
  const verdicts = one
    ? [`Warning: ${placeOf(run, trial)}: full and encoded probes disagree on whether something was wrong.`]
    : [];
  return [
    ...verdicts,
    ...compared.flatMap(({ name, label, unit }) => {
      const [ofFull, ofEncoded] = [full, encoded].map((kind) => medianOf(trial, kind, name));
      if (ofFull === undefined || ofEncoded === undefined) return [];
      if (100 * Math.abs(ofEncoded - ofFull) <= alikePercent * ofFull) return [];
      return [
        `Warning: ${placeOf(run, trial)}: full and encoded probes disagree on ${label}: ${numberNear(ofFull)} and ${numberNear(ofEncoded)} ${unit} in the median.`,
      ];
    }),
  ];
}

function medianOf({ streams }: TrialRecord, { probes }: Kind, name: AggregateName): number | undefined {
  const ids = new Set(probes.map(({ participant }) => participant.id));
  const own = streams.filter(
    ({ probe, direction, kind }) => ids.has(probe) && direction === 'receive' && kind === 'video',
  );
  return median(own.flatMap(({ values }) => values[name] ?? []));
}

function placeOf(run: FinishedRun, trial: TrialRecord): string {
  return `Trial ${trial.index} (${countOf(run, trial.size)})`;
}
