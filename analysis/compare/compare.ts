import type { FinishedRun } from '../../model/finished-run.js';
import type { Plan } from '../../model/plan.js';
import { type Players, sentinelsBeside } from '../../model/players.js';
import { namesNoLimit, type Outcome } from '../../model/run.js';
import { talliesOf } from '../judge/summary.js';
import { clusterOf } from '../measure/cluster-servers.js';
import { isOpen, probesAt } from '../search/result.js';
import { placementSentences } from './placements.js';

/** A fact that was written down for each run, and differs between them or not. */
export interface ComparedFact {
  readonly label: string;
  /** One for each run, in their order; "–" where it is not known. */
  readonly values: readonly string[];
  readonly same: boolean;
}

export interface ComparedRun {
  readonly name: string;
  readonly scenario: string;
  readonly unit: string;
  readonly server: string;
  readonly outcome: Outcome;
  readonly stable: number;
  readonly unstable: number | null;
  readonly flaky: readonly number[];
  readonly probesAtLimit: number;
  /** Bounds of the limit without contradicted sizes: all below the first held, none from the second on. */
  readonly atLeast: number;
  readonly below: number | null;
  readonly cutShort: boolean;
  /** What lies between the two sizes is not known. */
  readonly undecided: boolean;
  readonly trials: number;
}

export interface Comparison {
  readonly runs: readonly ComparedRun[];
  readonly facts: readonly ComparedFact[];
  /** Whole sentences: who holds how much more, or why that cannot be said. */
  readonly conclusions: readonly string[];
  /** Limits of different scenarios count different things. */
  readonly ofOneScenario: boolean;
}

type Reading = (run: FinishedRun) => unknown;

/** What may be part of the reason for another limit, and what must be the same for limits to be compared at all. */
const readings: readonly (readonly [label: string, read: Reading])[] = [
  ['scenario', ({ manifest }) => scenarioText(manifest.plan)],
  ['members of a room', ({ manifest }) => manifest.plan.roomSize],
  ['who sends beside viewers', ({ manifest }) => manifest.plan.panel],
  ['connections by which one receives', ({ manifest }) => manifest.plan.subscribe],
  ['recording', ({ manifest }) => manifest.plan.record],
  ['media', ({ manifest }) => manifest.plan.media],
  ['limits', ({ manifest }) => manifest.plan.thresholds],
  ['timing', ({ manifest }) => manifest.plan.timing],
  ['search', ({ manifest }) => manifest.plan.search],
  ['probes per page', ({ manifest }) => manifest.plan.probesPerPage],
  ['pages per browser', ({ manifest }) => manifest.plan.pagesPerBrowser],
  ['networks', ({ manifest }) => networksText(manifest.plan.networks)],
  ['limits count what links do', ({ manifest }) => manifest.plan.absoluteLimits],
  ['TURN', ({ manifest }) => manifest.plan.turn?.protocol ?? 'none, direct'],
  ['TURN server', ({ manifest }) => manifest.turn?.name],
  ['probes', ({ manifest }) => probesText(manifest.plan)],
  ['probes too many when calibrated', ({ manifest }) => manifest.host.tooManyProbes],
  ['server', ({ manifest }) => manifest.server.name],
  ['placement of sessions', ({ manifest }) => clusterOf(manifest)?.placement ?? 'none, one server'],
  ['servers of the cluster', ({ manifest }) => clusterText(manifest)],
  ['server asked for', ({ manifest }) => ofServer(manifest.plan.server)],
  ['server on the probe host', ({ manifest }) => manifest.server.sameHost],
  ['up-link given, bit/s', ({ manifest }) => manifest.server.egressLimitBps],
  ['CPU given, cores', ({ manifest }) => manifest.server.cpuLimitCores],
  ['cores', ({ manifest }) => manifest.host.cores],
  ['CPU', ({ manifest }) => manifest.host.cpuModel],
  ['memory, MB', ({ manifest }) => manifest.host.memoryMb],
  ['kernel', ({ manifest }) => manifest.host.kernel],
  ['operating system', ({ manifest }) => manifest.host.os],
  ['node', ({ manifest }) => manifest.host.node],
  ['chromium', ({ manifest }) => manifest.chromium.version],
  ['loadline', ({ manifest }) => manifest.loadline],
];

/** What a server was told, or what a simulated one is: capacity, drift and the like, without name and place. */
function ofServer({
  kind,
  url,
  egressLimitBps,
  cpuLimitCores,
  members,
  cluster,
  placement,
  ...told
}: Readonly<Record<string, unknown>>): unknown {
  return told;
}

/** "A large weight 5, B small weight 2", with the limits that each was given. */
function clusterText(manifest: FinishedRun['manifest']): string | undefined {
  return clusterOf(manifest)
    ?.servers.map(({ server, hostType, weight, facts: { egressLimitBps, cpuLimitCores } = {} }) =>
      [
        server,
        hostType,
        `weight ${weight}`,
        egressLimitBps === undefined ? undefined : `${egressLimitBps / 1e6} Mbit/s`,
        cpuLimitCores === undefined ? undefined : `${cpuLimitCores} cores`,
      ]
        .filter((word) => word !== undefined)
        .join(' '),
    )
    .join(', ');
}

/** How fast sessions come is not how many are there; it has a meaning only with how long they stay. */
function scenarioText({ scenario, load, players }: Plan): string {
  if (load.by === 'sessions') return scenario;
  const { process, stay, holdMs, perMs, storm, reconnect } = load;
  const atOnce = storm === undefined ? '' : `, a storm of ${storm}`;
  const lost = reconnect ? ', all connections lost once' : '';
  const joined = players.kind === 'signalling' && players.legs === 'sending' ? ', sending connections alone' : '';
  return `${scenario} by arrivals per ${perMs / 1000} s, ${process}, ${stay} stays of ${holdMs / 1000} s${atOnce}${lost}${joined}`;
}

/** A network's name is what was asked for: a preset's, or its whole text. */
function networksText(networks: Plan['networks']): string {
  if (!networks) return 'none impaired';
  return networks.map(({ name, sharePercent }) => `${sharePercent} % ${name}`).join(', ');
}

function probesText({ players }: Plan): string {
  const beside = sentinelsBeside(players);
  return `${kindOfProbes(players)}${beside === 0 ? '' : `, beside ${beside} full probes that stay`}`;
}

function kindOfProbes(players: Players): string {
  switch (players.kind) {
    case 'signalling':
      return players.legs === 'sending' ? 'none: signalling alone, of sending connections' : 'none: signalling alone';
    case 'native':
      return `without a browser but for ${players.sentinels} of who receives`;
    case 'encoded':
      return players.fullShare === 0 ? 'encoded' : `encoded, ${100 * players.fullShare} % full`;
    case 'full':
    case 'visiting':
      return 'encoded' in players && players.encoded ? 'full, without decoding' : 'full';
  }
}

export function compareRuns(runs: readonly FinishedRun[]): Comparison {
  const facts = readings.flatMap(([label, read]) => factsOf(label, runs.map(read)));
  const compared = runs.map(comparedRun);
  const ofOneScenario = new Set(compared.map(({ scenario }) => scenario)).size === 1;
  const conclusions = [...conclusionsOf(compared, facts), ...placementSentences(runs)];
  return { runs: compared, facts, conclusions, ofOneScenario };
}

export function comparedRun(run: FinishedRun): ComparedRun {
  const { manifest, answer, records, runDirectory } = run;
  return {
    name: runDirectory.split(/[\\/]/).filter(Boolean).at(-1) ?? runDirectory,
    scenario: scenarioText(manifest.plan),
    unit: manifest.unit?.many ?? 'sessions',
    server: manifest.server.name,
    outcome: answer.outcome,
    stable: answer.stable,
    unstable: answer.unstable,
    flaky: answer.flaky,
    probesAtLimit: probesAt(records, answer.stable),
    ...doubtOf(run),
    cutShort: answer.cutShort === true,
    undecided: isOpen(run),
    trials: records.length,
  };
}

/**
 * A size that failed in some trials, or passed where that confirms nothing, may be above the limit. So the lower end
 * is the largest size up to the limit that only ever held, and the upper end is above all that ever passed.
 */
function doubtOf({ answer, records }: FinishedRun): Pick<ComparedRun, 'atLeast' | 'below'> {
  const tallies = talliesOf(records);
  const held = tallies.filter(({ stable, judged }) => judged > 0 && stable === judged).map(({ size }) => size);
  const isDoubted = tallies.some(({ size }) => size === answer.stable && !held.includes(size));
  const atLeast = isDoubted ? Math.max(0, ...held.filter((size) => size < answer.stable)) : answer.stable;
  if (answer.unstable === null) return { atLeast, below: null };
  const passed = tallies.findLast(({ stable }) => stable > 0)?.size ?? 0;
  const above = tallies.find(({ size, stable, judged }) => size > passed && stable < judged)?.size;
  return { atLeast, below: passed < answer.unstable ? answer.unstable : (above ?? null) };
}

/** An object is compared field by field, so that a difference names the field. */
function factsOf(label: string, values: readonly unknown[]): ComparedFact[] {
  const objects = values.filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  if (objects.length === 0) {
    const texts = values.map(valueText);
    return [{ label, values: texts, same: new Set(texts).size === 1 }];
  }
  const names = [...new Set(objects.flatMap((value) => Object.keys(value as object)))];
  return names.flatMap((name) =>
    factsOf(
      `${label}: ${name}`,
      values.map((value) => (value as Record<string, unknown> | undefined)?.[name]),
    ),
  );
}

function valueText(value: unknown): string {
  if (value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((one) => (one as { text?: string }).text ?? String(one)).join('; ');
  return String(value);
}

const whySilent: Readonly<Partial<Record<Outcome, string>>> = {
  drifting: 'drifts: no one size is its limit.',
  'server-lost': 'lost its server: no size is its limit.',
  'never-connected': 'never connected: it says nothing of a limit.',
};

function conclusionsOf(runs: readonly ComparedRun[], facts: readonly ComparedFact[]): string[] {
  if (new Set(runs.map(({ scenario }) => scenario)).size > 1) {
    return ['The runs are of different scenarios: their limits count different things.'];
  }
  const caution = facts.some(({ label, same }) => label.startsWith('limits') && !same)
    ? ['The runs were judged by different limits; loadline judge brings them together.']
    : [];
  const told = runs.filter(({ outcome }) => !namesNoLimit(outcome));
  const silent = runs
    .filter((run) => !told.includes(run))
    .map(({ name, outcome }) => `${name} ${whySilent[outcome] ?? 'is void: it says nothing.'}`);
  const [best, ...rest] = [...told].sort((a, b) => b.stable - a.stable);
  if (!best) return silent;
  return [...rest.map((other) => ratioSentence(best, other)), ...silent, ...caution];
}

/** Interval that holds wherever each limit is within its own interval; rounded outwards. */
function ratioSentence(best: ComparedRun, other: ComparedRun): string {
  const names = best.server === other.server ? [best.name, other.name] : [best.server, other.server];
  const overlap = other.below === null || best.atLeast < other.below;
  if (overlap) return `${names[0]} and ${names[1]} cannot be told apart: what is known of their limits overlaps.`;
  if (other.stable === 0)
    return `${names[0]} holds ${best.stable} ${best.unit}, ${names[1]} not even the smallest size.`;
  const low = (Math.floor((100 * best.atLeast) / (other.below ?? 1)) / 100).toFixed(2);
  const times =
    best.below === null || other.atLeast === 0
      ? `at least ${low}`
      : `${low} to ${(Math.ceil((100 * best.below) / other.atLeast) / 100).toFixed(2)}`;
  return `${names[0]} holds ${times} times as many ${best.unit} as ${names[1]}, by one search each.`;
}
