import { type AggregateName, needsPlayer } from '../../model/aggregate.js';
import { groupedBy } from '../../model/grouped.js';
import {
  type BrowserlessKind,
  hasBrowser,
  isBrowserless,
  probeKindNames,
  probeKindOf,
} from '../../model/probe-kinds.js';
import type { Direction, MediaKind } from '../../model/scenario.js';
import { sentinelsOfStratum } from '../../model/sentinels.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { Reason } from '../../model/verdict.js';
import { countedWithin, type MeasuredWindow } from '../measure/window.js';
import { median, sum } from '../statistics/statistics.js';
import { capital, numberNear, plural } from '../wording/wording.js';
import { byHost } from './by-host.js';
import type { JudgeInput } from './judge-input.js';
import { codesOfMarks } from './mark-rules.js';
import { namedLimits } from './named-limits.js';
import { type ProbeFault, spoilsLoad } from './probe-fault.js';

const limits = {
  /** A packet that waits so long in our own process arrives late by as much: two frames. Chosen. */
  lateMs: 60,
  /** Share of the seconds in which a process of probes may be that late. */
  lateShare: 0.05,
  exhaustedShare: 0.2,
  /** Where nobody of one kind noticed anything and so many of the other did, they disagree. */
  sufferingShare: 0.5,
} as const;

/** How far the medians of the two kinds may be apart (docs/lab/native-probes.md). */
const compared: readonly {
  readonly name: AggregateName;
  readonly kind: MediaKind;
  /** Absent: of what is received. */
  readonly direction?: Direction;
  readonly words: string;
  readonly unit: string;
  readonly most: number;
  readonly of: 'share' | 'difference';
  /** Only where nobody is on a network of the plan's. */
  readonly onPlain?: true;
}[] = [
  { name: 'bitrateKbps', kind: 'video', words: 'received video', unit: 'kbit/s', most: 10, of: 'share' },
  { name: 'bitrateKbps', kind: 'audio', words: 'received audio', unit: 'kbit/s', most: 10, of: 'share' },
  // A clip at several rates sends 87 % or more of what is allowed, an encoder all of it.
  { name: 'bitrateKbps', kind: 'video', direction: 'send', words: 'video', unit: 'kbit/s', most: 20, of: 'share' },
  { name: 'fps', kind: 'video', words: 'received frame rate', unit: 'fps', most: 10, of: 'share' },
  { name: 'lossPercent', kind: 'video', words: 'video loss', unit: '%', most: 1, of: 'difference' },
  { name: 'lossPercent', kind: 'audio', words: 'audio loss', unit: '%', most: 1, of: 'difference' },
  { name: 'frozenPercent', kind: 'video', words: 'frozen time', unit: '%', most: 2, of: 'difference' },
  { name: 'jitterMs', kind: 'audio', words: 'audio jitter', unit: 'ms', most: 10, of: 'difference' },
  // On lossy links some senders repair what others do not (in-band FEC), and a model of a player cannot know.
  {
    name: 'concealedPercent',
    kind: 'audio',
    words: 'made-up sound',
    unit: '%',
    most: 3,
    of: 'difference',
    onPlain: true,
  },
];

/** What only a browser can notice: it also holds sound back until the picture has come. And what only marks say. */
const forOneKind: ReadonlySet<Reason['code']> = new Set([
  ...namedLimits.flatMap(({ code, aggregate }) => (needsPlayer(aggregate) ? [code] : [])),
  ...codesOfMarks,
]);

/** What kept probes without a browser from reading in time, host by host. None of it is the server's doing. */
export function processFaults(input: JudgeInput): ProbeFault[] {
  return byHost(input).flatMap(({ name, input: { window, evidence } }) => {
    if (!window) return [];
    const readings = evidence.probeHost.filter(({ atMs }) => atMs >= window.startMs && atMs <= window.endMs);
    const on = name === '' ? '' : ` on the probe host${name}`;
    const host = readings[0]?.host;
    const drops = countedWithin(evidence.probeHost, window, ({ socketDrops }) => socketDrops);
    return [...droppedBySockets(drops, on), ...lateProcesses(readings, on)].map((fault) =>
      host === undefined ? fault : { ...fault, reason: { ...fault.reason, host } },
    );
  });
}

const ofProcesses = probeKindNames.filter(isBrowserless).join(' or ');

type Readings = JudgeInput['evidence']['probeHost'];

function droppedBySockets(drops: readonly number[], on: string): ProbeFault[] {
  const dropped = sum(drops);
  if (dropped === 0) return [];
  const seconds = drops.filter((count) => count > 0).length;
  const text = `Sockets of ${ofProcesses} probes${on} dropped ${plural(dropped, 'datagram')} because nobody read them in time.`;
  const reason: Reason = { code: 'probe-socket-drops', text, measured: dropped, limit: 0, unit: 'datagrams' };
  return [{ reason, spoils: 'blame', exhausted: seconds >= limits.exhaustedShare * drops.length }];
}

function lateProcesses(readings: Readings, on: string): ProbeFault[] {
  const known = readings.flatMap(({ nativeLateMs }) => nativeLateMs ?? []);
  const late = known.filter((ms) => ms > limits.lateMs);
  const share = late.length / Math.max(1, known.length);
  if (late.length < 2 || share <= limits.lateShare) return [];
  const text = `A process of ${ofProcesses} probes${on} was over ${limits.lateMs} ms late in ${late.length} of ${known.length} s, at worst ${numberNear(Math.max(...late))} ms.`;
  const figures = { measured: 100 * share, limit: 100 * limits.lateShare, unit: '%' };
  return [
    { reason: { code: 'probe-late', text, ...figures }, spoils: 'blame', exhausted: share >= limits.exhaustedShare },
  ];
}

/**
 * Probes without a browser and the browsers among them have to see the same. Where they do not, nobody knows which was
 * right, and the trial says nothing. Those of one role on one network are compared, by what both kinds measure.
 */
export function kindsDisagree(input: JudgeInput, measured: MeasuredWindow, noticed: readonly Reason[]): ProbeFault[] {
  if (input.probes.every(hasBrowser)) return [];
  const reasons = [...groupedBy(input.probes, roleAndNetwork).values()].flatMap(besideBrowsers).flatMap((beside) => {
    if (beside.probes.length < sentinelsOfStratum || beside.browsers.length < sentinelsOfStratum) return [];
    const who = whoNoticed(beside, noticed);
    // Something is wrong then, however much of it each of them measures.
    if (Math.min(...who.shares) >= limits.sufferingShare) return [];
    return [...apartInMedian(beside, measured), ...apartInSuffering(beside, who)];
  });
  return reasons.map(spoilsLoad);
}

/**
 * Where no probe without a browser got an ICE connection and browsers on its network did, the server may have no way
 * over UDP to them: they know no other, and browsers go over TCP then. It is not the server's load that keeps them out.
 */
export function allUnconnected({ probes: all }: Pick<JudgeInput, 'probes'>): ProbeFault[] {
  const networks = groupedBy(all, ({ participant }) => participant.network ?? '').values();
  return [...networks].flatMap(besideBrowsers).flatMap(({ kind, probes, browsers }) => {
    const connected = browsers.filter(({ join }) => join.iceConnectedMs !== undefined).length;
    const isOut = ({ failures, join }: ProbeRecord) =>
      join.iceConnectedMs === undefined && failures.some(({ code }) => code === 'ice-timeout');
    if (connected === 0 || !probes.every(isOut)) return [];
    const network = probes[0]?.participant.network;
    const where = network === undefined ? '' : ` on "${network}"`;
    const text = `None of ${plural(probes.length, `${kind} probe`)}${where} got an ICE connection, and ${connected} of ${plural(browsers.length, 'browser')} did: ${kind} probes know UDP alone, and browsers TCP as well.`;
    return [spoilsLoad({ code: 'kinds-disagree', text })];
  });
}

const roleAndNetwork = ({ participant: { role, network } }: ProbeRecord): string => JSON.stringify([role, network]);

/** Probes of one kind without a browser, and the browsers that judge for them. */
interface BesideBrowsers {
  readonly kind: BrowserlessKind;
  readonly probes: readonly ProbeRecord[];
  readonly browsers: readonly ProbeRecord[];
}

function besideBrowsers(group: readonly ProbeRecord[]): BesideBrowsers[] {
  const browsers = group.filter(hasBrowser);
  return [...groupedBy(group, probeKindOf)].flatMap(([kind, probes]) =>
    isBrowserless(kind) ? { kind, probes, browsers } : [],
  );
}

function apartInMedian({ kind: own, ...beside }: BesideBrowsers, measured: MeasuredWindow): Reason[] {
  return compared.flatMap(({ name, kind, direction = 'receive', words, unit, most, of, onPlain }) => {
    if (onPlain && beside.probes.some(({ participant }) => participant.network !== undefined)) return [];
    const { ofOwn, ofBrowsers } = mediansOf(beside, measured, name, { kind, direction });
    if (ofOwn === undefined || ofBrowsers === undefined) return [];
    const difference = Math.abs(ofOwn - ofBrowsers);
    const apart = of === 'share' ? (100 * difference) / Math.max(ofOwn, ofBrowsers, Number.MIN_VALUE) : difference;
    if (apart <= most) return [];
    const verb = direction === 'send' ? 'send' : 'see';
    const text = `${capital(own)} and browser probes did not ${verb} the same ${words}: ${numberNear(ofOwn)} and ${numberNear(ofBrowsers)} ${unit} in the median (limit ${most} ${of === 'share' ? '%' : unit} apart).`;
    return { code: 'kinds-disagree' as const, text, measured: apart, limit: most, unit: of === 'share' ? '%' : unit };
  });
}

/** Of the senders that both kinds receive, where there are any: senders differ, and each kind receives others. */
function mediansOf(
  { probes, browsers }: Omit<BesideBrowsers, 'kind'>,
  measured: MeasuredWindow,
  name: AggregateName,
  of: { readonly kind: MediaKind; readonly direction: Direction },
) {
  const [own, browser] = [
    mediansBySender(probes, measured, name, of),
    mediansBySender(browsers, measured, name, of),
  ] as const;
  const both = [...own.keys()].filter((sender) => browser.has(sender));
  const over = (all: typeof own) =>
    median(both.length === 0 ? [...all.values()] : both.flatMap((sender) => all.get(sender) ?? []));
  return { ofOwn: over(own), ofBrowsers: over(browser) };
}

/** By the name of the stream: of received ones that is their sender, of sent ones their layer. */
function mediansBySender(
  probes: readonly ProbeRecord[],
  { streams }: MeasuredWindow,
  name: AggregateName,
  { kind, direction }: { readonly kind: MediaKind; readonly direction: Direction },
): ReadonlyMap<string, number> {
  const ids = new Set(probes.map(({ participant }) => participant.id));
  const own = streams.filter(
    ({ summary }) => summary.direction === direction && summary.kind === kind && ids.has(summary.probe),
  );
  // Where receivers show others at different times, their bit rates differ by that.
  const alike = own.filter(({ summary: { values } }) => name !== 'bitrateKbps' || values.switches === undefined);
  const medians = [...groupedBy(alike, ({ summary }) => summary.stream ?? '')].flatMap(([sender, some]) => {
    const one = median(some.flatMap(({ summary }) => summary.values[name] ?? []));
    return one === undefined ? [] : [[sender, one] as const];
  });
  return new Map(medians);
}

/** How many of each kind noticed something. What only one of the kinds can notice does not count. */
function whoNoticed({ probes, browsers }: BesideBrowsers, noticed: readonly Reason[]) {
  const named = new Set(noticed.flatMap(({ code, probe }) => (forOneKind.has(code) ? [] : (probe ?? []))));
  const of = (all: readonly ProbeRecord[]) => all.filter(({ participant }) => named.has(participant.id)).length;
  const [own, browser] = [of(probes), of(browsers)];
  return { own, browser, shares: [own / probes.length, browser / browsers.length] };
}

function apartInSuffering(
  { kind, probes, browsers }: BesideBrowsers,
  { own, browser, shares }: ReturnType<typeof whoNoticed>,
): Reason[] {
  if (Math.min(...shares) > 0 || Math.max(...shares) < limits.sufferingShare) return [];
  const text = `${capital(kind)} and browser probes disagree on whether something was wrong: ${own} of ${probes.length} ${kind} and ${browser} of ${plural(browsers.length, 'browser probe')} noticed something.`;
  return [{ code: 'kinds-disagree', text }];
}
