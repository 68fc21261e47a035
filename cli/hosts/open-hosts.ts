import { hostsNeed } from '../../analysis/needs/hosts-need.js';
import { largestSize } from '../../analysis/needs/plan-cost.js';
import { hasProgram } from '../../host/has-program.js';
import type { KindShares } from '../../model/calibration.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { comeAndGo } from '../../model/load.js';
import { firstServer, type HostsPlan, isSimulated, type Plan } from '../../model/plan.js';
import type { Manifest } from '../../model/run.js';
import type { Networks } from '../../model/run-networks.js';
import type { StartFleet } from '../../probes/fleet.js';
import type { Bus } from '../../probes/hosts/bus.js';
import { HostPool } from '../../probes/hosts/host-pool.js';
import { hostFleets } from '../../probes/hosts/hosts-fleet.js';
import { networksOnHosts } from '../../probes/hosts/networks-on-hosts.js';
import { isServerElsewhere, type Wanted } from '../../probes/hosts/unfitness.js';
import type { HostLinks } from '../../server-setup/network/host-links.js';
import { hostsNeedTexts, sharedText } from '../live/hosts-lines.js';
import type { BusFlags } from '../options/bus-flags.js';
import { localCount } from '../options/host-flags.js';
import type { RunRequest } from '../options/run-request.js';
import type { ToolProcess } from '../process.js';
import { setUpPart } from '../set-up-part.js';
import { ensureChromium } from '../wiring/chromium.js';
import { openBus } from './bus.js';
import { withSbin } from './local-bus.js';
import { type LocalHosts, startLocalHosts } from './local-hosts.js';
import type { OwnNetworks, ServerReach } from './own-networks.js';
import { thisConductor, wantedHere } from './this-machine.js';

interface AskedHosts extends HostsPlan {
  readonly bus?: BusFlags | undefined;
  /** The value of `--chromium`, for hosts on this machine. */
  readonly chromium?: string | undefined;
  readonly probes: KindShares;
  /** The sizes that are to be played, and the web app that is visited. */
  readonly question: Pick<RunRequest, 'plan' | 'scenario' | 'app'>;
  /** Where its media server is. */
  readonly server: ServerReach;
}

/** The hosts of a run, held until `close`. */
export interface OpenHosts {
  readonly startFleet: StartFleet;
  readonly chromium: Manifest['chromium'];
  /** What was found, a line for whoever watches. */
  readonly found: string;
  /** Impaired networks of their probes; absent: the hosts' own, untouched. */
  readonly networks?: Networks;
  /** Where a media server of our own listens, so that all hosts reach it; absent: at its usual place. */
  readonly listenOn?: string;
  close(): Promise<void>;
}

/** Agents on this machine start as fast as Node and Chromium do. */
const localWaitMs = 60_000;

/** Throws E_BUS, E_BUS_MISSING, E_HOSTS, E_CHROMIUM_MISSING; then nothing is left. */
export async function openHosts(asked: AskedHosts, tool: ToolProcess): Promise<OpenHosts> {
  const count = localCount(asked.from);
  const undo: (() => Promise<void>)[] = [];
  const close = async () => {
    while (undo.length > 0) await undo.pop()?.();
  };
  try {
    const { ownNetworks } = await import('./own-networks.js');
    const ways = count === undefined ? undefined : await ownNetworks(count, asked.question.plan, asked.server, tool);
    const links = ways?.own ? ways.links : undefined;
    if (links) undo.push(() => links.close());
    const local = count === undefined ? undefined : await startedHere(count, asked, tool, links);
    if (local) undo.push(() => local.close());
    const bus = await (local
      ? openBus({ url: local.bus.url, token: local.bus.token }, { side: 'conductor' }, tool)
      : openBus({ url: asked.from, files: asked.bus }, { side: 'conductor' }, tool));
    undo.push(() => bus.close());
    const wanted = await wantedBy(asked);
    const pool = await held(asked, bus, wanted, local);
    undo.push(() => pool.close());
    assertServerIsReached(asked, pool);
    return {
      startFleet: hostFleets(pool, asked.question.plan.players),
      chromium: { path: 'on the probe hosts', version: pool.chromium },
      found: foundText(asked, pool, ways),
      ...networksOf(asked, pool, wanted),
      ...(links && asked.server === 'of-this-run' ? { listenOn: links.address } : {}),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function held({ from, spread, probes }: AskedHosts, bus: Bus, wanted: Wanted, local: LocalHosts | undefined) {
  const by = thisConductor();
  const count = localCount(from);
  const patience = count === undefined ? {} : { atLeast: count, waitMs: localWaitMs };
  try {
    return await HostPool.open({ bus, by, wanted, spread, probes, ...patience });
  } catch (error) {
    if (!local || !(error instanceof LoadlineError)) throw error;
    const why = [error.why, local.lastWords()].filter((one) => one).join('\n');
    throw new LoadlineError(error.code, error.message, { where: '--hosts local', why, cause: error });
  }
}

async function wantedBy({ question: { plan, app }, server }: AskedHosts): Promise<Wanted> {
  const wanted = { ...(await wantedHere()), ...given({ app: app?.digest }) };
  return plan.networks ? { ...wanted, impairs: { serverElsewhere: server === 'elsewhere' } } : wanted;
}

function networksOf({ question: { plan } }: AskedHosts, pool: HostPool, wanted: Wanted): Pick<OpenHosts, 'networks'> {
  if (!plan.networks) return {};
  return { networks: networksOnHosts(pool, plan.networks, ({ offer }) => isServerElsewhere(offer, wanted)) };
}

async function startedHere(
  count: number,
  { chromium, question: { plan } }: AskedHosts,
  tool: ToolProcess,
  links: HostLinks | undefined,
): Promise<LocalHosts> {
  if (!(await hasProgram('nats-server', withSbin(tool.env).PATH))) await bringNatsServer(tool);
  const { path } = await ensureChromium(tool, chromium);
  return startLocalHosts(count, { chromium: path, visit: visitWords(plan), links }, tool);
}

/** As whoever offers a host says what it visits. */
function visitWords({ players, server }: Plan): readonly string[] {
  if (players.kind !== 'visiting' || isSimulated(server)) return [];
  const { url = '' } = firstServer(server);
  const files = (['join', 'library', 'users'] as const).flatMap((name) =>
    players[name] ? [`--${name}`, players[name]] : [],
  );
  return ['--url', url, ...files];
}

async function bringNatsServer(tool: ToolProcess): Promise<void> {
  const { found, why, todo } = await setUpPart(tool, 'programs.mjs', 'nats-server');
  if (found) return;
  throw new LoadlineError('E_BUS_MISSING', 'There is no nats-server for hosts on this machine.', {
    where: '--hosts local',
    why: why ?? 'no program "nats-server" was found in PATH, and none could be installed',
    todo: todo ?? 'run "sudo apt-get install nats-server"',
  });
}

/** What the run starts listens on the loopback interface, where hosts on this machine alone reach it. */
function assertServerIsReached({ server }: AskedHosts, pool: HostPool): void {
  const away = pool.hosts().filter((host) => host.facts().besideConductor !== true);
  if (server !== 'of-this-run' || away.length === 0) return;
  throw new LoadlineError('E_USAGE', 'The media server that this run would start is not reached from other hosts.', {
    where: '--server, --hosts',
    why: `it listens on this machine alone, and ${away.map(({ id }) => id).join(', ')} are other machines`,
    todo: 'start one with loadline serve --host ADDRESS, and name it with --server',
  });
}

function foundText(
  { spread, question: { plan, scenario } }: AskedHosts,
  pool: HostPool,
  ways: OwnNetworks | undefined,
): string {
  const hosts = pool
    .hosts()
    .map(({ id, offer: { cores, place } }) => `${id} (${cores} cores${place ? `, ${place}` : ''})`);
  const shared = ways ? `; ${sharedText(ways.own ? undefined : ways.why)}` : '';
  const found = `Probe hosts: ${hosts.join(', ')}; participants are placed ${spread}${shared}.`;
  // How many of those who come are there at a time is known in each trial, which says where a host has too many.
  if (comeAndGo(plan.load)) return found;
  const need = hostsNeed(largestSize(plan, scenario), scenario, pool.roomy());
  const enough = hostsNeedTexts(need, scenario.unit).map((text) => `  ${text}`);
  return [found, ...enough].join('\n');
}
