import type { FinishedRun } from '../../model/finished-run.js';
import { givenTo } from '../../model/given-to.js';
import type { Plan } from '../../model/plan.js';
import { type Players, sentinelsBeside } from '../../model/players.js';
import { usualPanel, usualRoomSize } from '../../model/usual-members.js';
import { clusterOf } from '../measure/cluster-servers.js';

/** A fact that was written down for each run, and differs between them or not. */
export interface ComparedFact {
  readonly label: string;
  /** One for each run, in their order; "–" where it is not known. */
  readonly values: readonly string[];
  readonly same: boolean;
}

type Reading = (run: FinishedRun) => unknown;

/** What may be part of the reason for another limit, and what must be the same for limits to be compared at all. */
const readings: readonly (readonly [label: string, read: Reading, usual?: unknown])[] = [
  ['scenario', ({ manifest }) => scenarioText(manifest.plan)],
  ['members of a room', ({ manifest }) => manifest.plan.roomSize, usualRoomSize],
  ['who sends beside viewers', ({ manifest }) => manifest.plan.panel, usualPanel],
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
  ['CPU given, cores', ({ manifest }) => givenTo(manifest.server).cores],
  ['memory given, MB', ({ manifest }) => givenTo(manifest.server).memoryMb],
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
    ?.servers.map(({ server, hostType, weight, facts = {} }) => {
      const { upLinkBps, cores, memoryMb } = givenTo(facts);
      return [
        server,
        hostType,
        `weight ${weight}`,
        upLinkBps === undefined ? undefined : `${upLinkBps / 1e6} Mbit/s`,
        cores === undefined ? undefined : `${cores} cores`,
        memoryMb === undefined ? undefined : `${Math.round(memoryMb)} MB`,
      ]
        .filter((word) => word !== undefined)
        .join(' ');
    })
    .join(', ');
}

/** How fast sessions come is not how many are there; it has a meaning only with how long they stay. */
export function scenarioText({ scenario, load, players }: Plan): string {
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

/** Facts that make runs of one scenario different loads: rooms of four and of eight have the same name. */
const ofTheLoad =
  /^(scenario|members of a room|who sends beside viewers|connections by which one receives|recording|media|limits|networks|TURN)(:|$| count)/;

/** Whether its difference makes limits count different things. */
export const isOfTheLoad = ({ label }: ComparedFact): boolean => ofTheLoad.test(label);

export function comparedFacts(runs: readonly FinishedRun[]): ComparedFact[] {
  const isOneScenario = new Set(runs.map(({ manifest }) => manifest.plan.scenario)).size === 1;
  return readings.flatMap(([label, read, usual]) => {
    const values = runs.map(read);
    // Where one plan names it, a plan that does not has the usual.
    const isNamed = isOneScenario && values.some((value) => value !== undefined);
    return factsOf(label, isNamed ? values.map((value) => value ?? usual) : values);
  });
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
