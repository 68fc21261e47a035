import type { AggregateName } from '../../model/aggregate.js';
import type { FinishedRun } from '../../model/finished-run.js';
import type { Network } from '../../model/network.js';
import type { MediaChange, Voice } from '../../model/stimulus.js';
import type { TrialRecord } from '../../model/trial.js';
import { isOfVoice } from '../judge/media-changes.js';
import { type HeldVideo, heldVideos, type RateHolder } from '../measure/video-hold.js';
import { median, sum } from '../statistics/statistics.js';
import { numberNear, plural } from '../wording/wording.js';

/** What was read in judged trials and is no measurement, and what stands behind the loss that is told. */
export function readingSentences({ manifest, records }: FinishedRun): string[] {
  const judged = records.filter(({ verdict }) => verdict.kind !== 'void');
  return [
    ...droppedSentences(judged),
    ...resendingSentences(judged),
    ...doubledSentences(manifest.plan.networks ?? [], judged),
  ];
}

/** Copies that a server counts as received are taken off what it reports as lost (RFC 3550, A.3). */
function doubledSentences(networks: readonly Network[], records: readonly TrialRecord[]): string[] {
  const doubles = ({ up, steps }: Network) => [up, ...steps.map((step) => step.up)].some((one) => one.duplicatePercent);
  const names = networks.filter(doubles).map(({ name }) => name);
  if (names.length === 0) return [];
  const sent = records.flatMap(({ probes, streams }) => {
    const there = probes.filter(({ participant: { network } }) => names.includes(network ?? ''));
    const own = new Set(there.map(({ participant: { id } }) => id));
    return streams.filter(({ probe, direction, kind }) => own.has(probe) && direction === 'send' && kind !== 'data');
  });
  const mute = sent.filter(({ values: { lossPercent } }) => lossPercent === undefined).length;
  const unmeasured = mute === 0 ? '' : ` It was not measured of ${mute} of ${plural(sent.length, 'sent stream')}.`;
  return [
    `Warning: packets are doubled on the way up (${names.join(', ')}). A server that counts copies as received reports less loss than there was, or none.${unmeasured}`,
  ];
}

function droppedSentences(records: readonly TrialRecord[]): string[] {
  // Every stream of a leg has the leg's own.
  const ofLegs = new Map(
    records.flatMap(({ index, streams }) =>
      streams.map(({ probe, leg, values }) => [`${index} ${probe} ${leg}`, values.legRoundTripsDropped ?? 0]),
    ),
  );
  const dropped = sum(valuesOf(records, 'roundTripsDropped')) + sum([...ofLegs.values()]);
  if (dropped === 0) return [];
  return [
    `Left out: ${plural(dropped, 'round trip')} longer than a connection can wait for an answer. Servers' reports tell such ones when their counters wrap.`,
  ];
}

function resendingSentences(records: readonly TrialRecord[]): string[] {
  const resent = Math.max(0, ...valuesOf(records, 'resentPercent'));
  const asked = Math.max(0, ...valuesOf(records, 'nacksPerSecond'));
  if (resent === 0 && asked === 0) return [];
  return [
    `Video loss is what was left after resending: up to ${numberNear(resent)} % of a stream's packets were sent again, and up to ${numberNear(asked)} times a second its receiver asked for some.`,
  ];
}

function valuesOf(records: readonly TrialRecord[], name: AggregateName): number[] {
  return records.flatMap(({ streams }) => streams.flatMap(({ values }) => values[name] ?? []));
}

const words: Readonly<Record<RateHolder, string>> = {
  remb: 'by a rate that the server told (REMB)',
  'transport-cc': 'by the sender’s own estimate (transport-cc)',
  'remb-or-transport-cc':
    'by a rate that the server told (REMB) or the sender’s own estimate (transport-cc): getStats has one figure for both',
  description: 'by what the server’s description allows (b=)',
  loss: 'by what the sender makes of loss alone: the server agreed to neither REMB nor transport-cc',
  cap: 'by --video-kbps',
  nothing: 'by nothing: less was sent than all of these allow',
  unknown: 'by what is not known: getStats had no estimate',
};

/** How the rate of sent video was held in judged trials; nothing for runs that did not write it down. */
export function rateSentences({ manifest, records }: FinishedRun): string[] {
  const { videoKbps } = manifest.plan.media;
  const held = records
    .filter(({ verdict, window }) => verdict.kind !== 'void' && window)
    .flatMap((record) => heldVideos(record, videoKbps));
  if (held.length === 0) return [];
  const holders = [...new Set(held.map(({ holder }) => holder))];
  const parts = holders
    .map((holder) => ({ holder, own: held.filter((one) => one.holder === holder) }))
    .sort((a, b) => b.own.length - a.own.length)
    .map(({ holder, own }) => `${own.length} of ${held.length} ${words[holder]}, at ${medianText(own)}`);
  return [`Sent video had a ceiling of ${videoKbps} kbit/s (--video-kbps). It was held: ${parts.join('; ')}.`];
}

const medianText = (held: readonly HeldVideo[]): string =>
  `${numberNear(median(held.map(({ kbps }) => kbps)) ?? 0)} kbit/s in the median`;

/** What became of the files that the media server recorded, in all trials that count. */
export function recordingSentences({ records }: FinishedRun): string[] {
  const known = records.flatMap(({ recordings, verdict }) => (verdict.kind === 'void' ? [] : (recordings ?? [])));
  const files = sum(known.map((one) => one.files));
  if (files === 0) return [];
  const of = plural(files, 'file');
  const reasons = [...new Set(known.flatMap(({ notChecked }) => notChecked ?? []))];
  const unchecked = sum(known.filter(({ notChecked }) => notChecked !== undefined).map((one) => one.files));
  const broken = sum(known.map(({ faults }) => faults.length));
  if (reasons.length === 0 && broken === 0)
    return [`Recordings: each of ${of} lasts as long as was recorded, has its tracks, and decodes.`];
  return [
    ...(broken === 0 ? [] : [`Recordings: ${broken} of ${of} are broken.`]),
    ...(reasons.length === 0 ? [] : [`Recordings: ${unchecked} of ${of} were not checked: ${reasons.join('; ')}.`]),
  ];
}

interface Proven {
  readonly voice?: Voice;
  readonly changes: readonly MediaChange[];
}

/** What the media server made of the media that it was given, where that was not one for one. */
export function stimulusSentences({ records }: Pick<FinishedRun, 'records'>): string[] {
  const proven = records.map(provenBy);
  const given = proven.findIndex((trial, nth) => hasGivenUp(trial, proven[nth + 1]));
  const light = proven[given]?.find(({ voice }) => voice === 'light');
  const after = records[given]?.voice === 'light' ? given + 1 : given;
  const voice =
    light === undefined
      ? []
      : [
          `The light voice of encoded probes did not come through the media server: from trial ${records[after]?.index ?? after + 1} on they sent the packets of Chromium's own encoder. ${light.changes.find(isOfVoice)?.text ?? 'With it no sound arrived.'}`,
        ];
  const left = proven.flat().filter(({ voice: sent }) => sent !== 'light');
  const texts = new Set(left.flatMap(({ changes }) => changes.slice(0, 1).map(({ text }) => text)));
  const [first] = texts;
  return first === undefined
    ? voice
    : [...voice, `What the media server does to media with one session alone: ${first}`];
}

/** In their order: what its warm-up showed, and the trial itself. */
function provenBy({ warmUp, voice, mediaChanges = [] }: TrialRecord): readonly Proven[] {
  return [...(warmUp?.proofs ?? []), { ...(voice ? { voice } : {}), changes: mediaChanges }];
}

function hasGivenUp(trial: readonly Proven[], next: readonly Proven[] | undefined): boolean {
  const voices = [...trial, ...(next ?? [])].map(({ voice }) => voice);
  return voices[0] === 'light' && voices.includes('ordinary');
}
