import { groupedBy } from '../../model/grouped.js';
import { hostOf, localHostId, ofHost, type ProbeHost } from '../../model/probe-host.js';
import type { ProbeRecord, TrialRecord } from '../../model/trial.js';
import { hypergeometricTail, wholeGroupsTail } from './chance.js';

/** What failing probes may have in common. */
type SharedBy = 'network' | 'host' | 'place' | 'browser' | 'page' | 'session' | 'role';

/** Probes of one trial that fail together, more than chance explains. */
export interface FaultPattern {
  readonly shared: SharedBy;
  /** Of network, host, place, browser, page, session or role; several where whole sessions fail together. */
  readonly names: readonly string[];
  /** The failing probes that have it in common. */
  readonly probes: readonly string[];
  /** All probes that have it in common, failing or not. */
  readonly groupProbes: number;
  /** Failing probes that were still unexplained when this was found; those of clearer patterns are not among them. */
  readonly failing: number;
  /** These are all probes of this role and no others: the trial cannot tell which of the two it is. */
  readonly role?: string;
  /** Chance, 0 to 1, of so clear a pattern anywhere that was looked at, if faults were random. */
  readonly chance: number;
}

/** What chance brings about more often than this is not named. */
const mostChance = 0.05;
const mostPatterns = 3;

interface PlacedProbe extends ProbeRecord {
  /** Of its host; absent where that says none. */
  readonly place: string | undefined;
}

interface Group {
  readonly shared: SharedBy;
  readonly name: string;
  readonly probes: readonly string[];
}

/**
 * Which probes are bad in a trial: each that a reason of its verdict is about. A reason about all probes together
 * belongs to none of them.
 */
function failingProbes({ verdict, probes }: TrialRecord): string[] {
  const named = new Set(
    verdict.reasons.flatMap(({ probe, code }) => (probe === undefined || code === 'first-frame-late' ? [] : probe)),
  );
  return probes.map(({ participant }) => participant.id).filter((id) => named.has(id));
}

/**
 * Where faults cluster in a trial: the clearest pattern first, then what is clear in the probes that it leaves over.
 *
 * For each network, host, place, browser, page, session and role, the chance that blind faults hit it so often is the
 * tail of the hypergeometric distribution, times the number of groups of its kind, of kinds, and of trials that were
 * looked at (Bonferroni). Sessions that fail as a whole are tested together as well: one call of which both ends fail
 * may be chance, five are not.
 *
 * @param trials that are looked at, this one among them
 */
export function faultPatterns(record: TrialRecord, trials = 1): FaultPattern[] {
  const patterns: FaultPattern[] = [];
  const placeOf = placesOf(record.hosts ?? []);
  let probes: readonly PlacedProbe[] = record.probes.map((probe) => ({ ...probe, place: placeOf(probe) }));
  let failing = new Set(failingProbes(record));
  while (patterns.length < mostPatterns) {
    const pattern = clearest(probes, failing, trials);
    if (!pattern) break;
    patterns.push(pattern);
    const explained = new Set(groupMembers(probes, pattern));
    probes = probes.filter(({ participant }) => !explained.has(participant.id));
    failing = new Set([...failing].filter((id) => !explained.has(id)));
  }
  return patterns;
}

function clearest(
  probes: readonly PlacedProbe[],
  failing: ReadonlySet<string>,
  trials: number,
): FaultPattern | undefined {
  if (failing.size < 2 || failing.size === probes.length) return undefined;
  const looked = lookedAt(probes);
  // Sessions are looked at in two ways.
  const tests = trials * (looked.length + Number(looked.some(({ shared }) => shared === 'session')));
  const found = looked.flatMap(({ shared, groups }) => {
    const single = groups.flatMap((group) =>
      isOneHost(group, probes) ? [] : singlePattern(group, groups.length, probes.length, failing),
    );
    return shared === 'session' ? [...single, ...wholeSessions(groups, probes.length, failing)] : single;
  });
  const [first] = found
    .map((one) => ({ ...one, chance: Math.min(1, one.chance * tests) }))
    .filter(({ chance }) => chance <= mostChance)
    .sort((a, b) => a.chance - b.chance);
  const role = first && roleOf(first, probes);
  return first && role !== undefined ? { ...first, role } : first;
}

/** Kinds that tell probes apart; of two that do so in the same way the first. */
function lookedAt(probes: readonly PlacedProbe[]): { readonly shared: SharedBy; readonly groups: readonly Group[] }[] {
  const seen = new Set<string>();
  return kinds.flatMap((shared) => {
    const groups = groupsBy(shared, probes);
    const key = JSON.stringify(groups.map((group) => group.probes));
    if (groups.length < 2 || seen.has(key)) return [];
    seen.add(key);
    return { shared, groups };
  });
}

/**
 * Of two that are equally clear the first is named: a browser with one page is called a browser. Networks and hosts
 * have browsers of their own.
 */
const kinds: readonly SharedBy[] = ['network', 'host', 'place', 'browser', 'page', 'session', 'role'];

function groupsBy(shared: SharedBy, probes: readonly PlacedProbe[]): Group[] {
  const groups = groupedBy(probes, (probe) => nameOf(shared, probe));
  return [...groups].map(([name, own]) => ({ shared, name, probes: own.map(({ participant: { id } }) => id) }));
}

function nameOf(shared: SharedBy, { participant, host, place = '', browser, page }: PlacedProbe): string {
  const { session, role, network = '' } = participant;
  const onHost = ofHost(host);
  const names = { network, host: host ?? localHostId, place, browser: `${browser}${onHost}`, page: `${page}${onHost}` };
  return { ...names, session, role }[shared];
}

function singlePattern(group: Group, groups: number, all: number, failing: ReadonlySet<string>): FaultPattern[] {
  const hit = group.probes.filter((id) => failing.has(id));
  if (hit.length < 2) return [];
  const tail = hypergeometricTail({ all, failing: failing.size, group: group.probes.length, hit: hit.length });
  return [
    {
      shared: group.shared,
      names: [group.name],
      probes: hit,
      groupProbes: group.probes.length,
      failing: failing.size,
      chance: Math.min(1, tail * groups),
    },
  ];
}

function wholeSessions(groups: readonly Group[], all: number, failing: ReadonlySet<string>): FaultPattern[] {
  const whole = groups.filter(({ probes }) => probes.length > 1 && probes.every((id) => failing.has(id)));
  if (whole.length < 2) return [];
  const sizes = groups.map(({ probes }) => probes.length);
  return [
    {
      shared: 'session',
      names: whole.map(({ name }) => name),
      probes: whole.flatMap(({ probes }) => probes),
      groupProbes: whole.reduce((sum, { probes }) => sum + probes.length, 0),
      failing: failing.size,
      chance: wholeGroupsTail({ sizes, all, failing: failing.size, whole: whole.length }),
    },
  ];
}

function groupMembers(probes: readonly PlacedProbe[], { shared, names }: FaultPattern): string[] {
  return probes.filter((probe) => names.includes(nameOf(shared, probe))).map(({ participant }) => participant.id);
}

function placesOf(hosts: readonly ProbeHost[]): (probe: ProbeRecord) => string | undefined {
  const places = new Map(hosts.map(({ id, place }) => [id, place]));
  return (probe) => places.get(hostOf(probe));
}

/** A place with one host is that host, and is called so. */
function isOneHost({ shared, probes }: Group, all: readonly PlacedProbe[]): boolean {
  if (shared !== 'place') return false;
  const members = new Set(probes);
  return new Set(all.filter(({ participant }) => members.has(participant.id)).map(hostOf)).size < 2;
}

const ofMachines: ReadonlySet<SharedBy> = new Set(['network', 'host', 'place']);

/** Where callers are on one host and callees on another, each host is a role. */
function roleOf(pattern: FaultPattern, probes: readonly PlacedProbe[]): string | undefined {
  if (!ofMachines.has(pattern.shared)) return undefined;
  const members = new Set(groupMembers(probes, pattern));
  const inside = new Set(probes.flatMap(({ participant: { id, role } }) => (members.has(id) ? [role] : [])));
  const [role] = inside;
  const others = probes.some(({ participant }) => participant.role === role && !members.has(participant.id));
  return inside.size === 1 && !others && members.size < probes.length ? role : undefined;
}
