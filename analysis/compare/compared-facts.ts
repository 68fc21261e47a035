import type { FinishedRun } from '../../model/finished-run.js';
import { givenTo } from '../../model/given-to.js';
import { loads } from '../../model/load.js';
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

type Reading = (manifest: FinishedRun['manifest']) => unknown;

/**
 * What runs that differ in a fact are apart in. Another `load`: their limits count different things (rooms of four and
 * of eight have the same name). Another `timing`: they are no repeats of one plan. Another `machine`, or another means
 * of measuring: limits and costs of one are not those of the other. Another `place` may be part of the reason for
 * another limit. Another `server` is what is compared, or follows from it.
 */
type Apart = 'load' | 'timing' | 'machine' | 'place' | 'server';

/** What may be part of the reason for another limit, and what must be the same for limits to be compared at all. */
const readings: readonly (readonly [label: string, apart: readonly Apart[], read: Reading, usual?: unknown])[] = [
  ['scenario', ['load'], ({ plan }) => scenarioText(plan)],
  ['members of a room', ['load'], ({ plan }) => plan.roomSize, usualRoomSize],
  ['who sends beside viewers', ['load'], ({ plan }) => plan.panel, usualPanel],
  ['connections by which one receives', ['load'], ({ plan }) => plan.subscribe],
  ['recording', ['load'], ({ plan }) => plan.record],
  ['media', ['load'], ({ plan }) => plan.media],
  ['limits', ['load'], ({ plan }) => plan.thresholds],
  ['timing', ['timing'], ({ plan }) => plan.timing],
  ['search', [], ({ plan }) => plan.search],
  ['probes per page', [], ({ plan }) => plan.probesPerPage],
  ['pages per browser', [], ({ plan }) => plan.pagesPerBrowser],
  ['networks', ['load'], ({ plan }) => networksText(plan.networks)],
  ['limits count what links do', ['load'], ({ plan }) => plan.absoluteLimits],
  ['TURN', ['load'], ({ plan }) => plan.turn?.protocol ?? 'none, direct'],
  ['TURN server', [], ({ turn }) => turn?.name],
  ['probes', ['machine'], ({ plan }) => probesText(plan)],
  ['probes too many when calibrated', ['server'], ({ host }) => host.tooManyProbes],
  ['server', ['server'], ({ server }) => server.name],
  ['placement of sessions', ['machine', 'server'], (manifest) => clusterOf(manifest)?.placement ?? 'none, one server'],
  ['servers of the cluster', ['machine', 'server'], (manifest) => clusterText(manifest)],
  ['server asked for', ['server'], ({ plan }) => ofServer(plan.server)],
  ['server on the probe host', ['machine'], ({ server }) => server.sameHost],
  ['up-link given, bit/s', ['machine'], ({ server }) => server.egressLimitBps],
  ['CPU given, cores', ['machine'], ({ server }) => givenTo(server).cores],
  ['memory given, MB', ['machine', 'place'], ({ server }) => givenTo(server).memoryMb],
  ['cores', ['machine'], ({ host }) => host.cores],
  ['CPU', ['machine'], ({ host }) => host.cpuModel],
  ['memory, MB', ['place'], ({ host }) => host.memoryMb],
  ['kernel', ['place'], ({ host }) => host.kernel],
  ['operating system', [], ({ host }) => host.os],
  ['node', [], ({ host }) => host.node],
  ['chromium', ['place'], ({ chromium }) => chromium.version],
  ['loadline', ['place'], ({ loadline }) => loadline],
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
  const joined = players.kind === 'signalling' && players.legs === 'sending' ? ', sending connections alone' : '';
  return scenario + loads[load.by].told(load) + joined;
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

const apartBy = new Map(readings.map(([label, apart]) => [label, apart]));

/** Whether runs that differ in this fact are apart so. */
export function isOf(apart: Apart, { label }: ComparedFact): boolean {
  return apartBy.get(groupOf(label))?.includes(apart) === true;
}

/** The fact itself: "limits: joinMsMax" and its like are fields of one. */
export const groupOf = (label: string): string => label.split(':')[0] ?? label;

export function comparedFacts(runs: readonly FinishedRun[]): ComparedFact[] {
  const isOneScenario = new Set(runs.map(({ manifest }) => manifest.plan.scenario)).size === 1;
  return readings.flatMap(([label, , read, usual]) => {
    const values = runs.map(({ manifest }) => read(manifest));
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
