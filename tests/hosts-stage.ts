import { sharesOfOne } from '../model/calibration.js';
import type { Sample } from '../model/sample.js';
import type { Begin, Negotiate } from '../model/signalling.js';
import type { FleetEvent } from '../model/trial.js';
import { allowedOnly } from '../probes/allowed.js';
import type { Fleet, FleetOptions, StartFleet } from '../probes/fleet.js';
import { type Agent, type AgentOptions, startAgent } from '../probes/hosts/agent.js';
import { HostPool, type PoolOptions } from '../probes/hosts/host-pool.js';
import { hostFleets } from '../probes/hosts/hosts-fleet.js';
import { type HostOffer, wireFormat } from '../probes/hosts/wire.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { MemoryBus, type MemoryClient } from './memory-bus.js';
import { ScriptedFleet } from './scripted-fleet.js';

interface StagedHost {
  readonly name: string;
  readonly client: MemoryClient;
  readonly agent: Agent;
  readonly said: readonly string[];
  readonly instance: string;
  /** Of each trial one of each player that it needs. */
  readonly fleets: readonly ScriptedFleet[];
}

export interface HostStory {
  readonly name: string;
  readonly aheadMs?: number;
  readonly chromium?: string;
  readonly build?: string;
  readonly boot?: string;
  readonly place?: string;
  readonly carries?: number;
  readonly leaseMs?: number;
  readonly calibrate?: AgentOptions['calibrate'];
  readonly makeNetworks?: AgentOptions['makeNetworks'];
  readonly impairs?: HostOffer['impairs'];
  /** By the clock of the host. */
  readonly startArriving?: (now: () => number) => StartFleet;
  readonly speakers?: AgentOptions['speakers'];
  /** Where its probes may send media to; absent: everywhere. */
  readonly allow?: readonly string[];
  readonly loses?: () => boolean;
  /** The digest of the web app that it visits. */
  readonly app?: string;
  /** It plays no native probes. */
  readonly browsersAlone?: true;
}

/** Hosts on a bus in memory, and conductors of them. */
export class HostsStage {
  readonly bus = new MemoryBus();
  readonly hosts: readonly StagedHost[];
  private readonly pools: HostPool[] = [];

  constructor(stories: readonly HostStory[]) {
    this.hosts = stories.map((story, nth) => this.host(story, `host-${nth}`));
  }

  async pool(changes: Partial<PoolOptions> = {}): Promise<HostPool> {
    const pool = await HostPool.open({
      bus: this.bus.client(),
      by: 'ada@desk, process 1',
      wanted: { build: 'b1', version: '0.1.0', boot: 'desk' },
      spread: 'even',
      probes: sharesOfOne('full'),
      ...changes,
    });
    this.pools.push(pool);
    return pool;
  }

  /** Hosts that were lost go first: where nobody listens any more, they would wait for their last words to be heard. */
  async close(): Promise<void> {
    const lost = new Set(this.pools.flatMap((pool) => pool.lostHosts().map(({ id }) => id)));
    const end = (agents: readonly StagedHost[]) =>
      Promise.all(agents.map(({ agent }) => agent.close('the test is over')));
    await end(this.hosts.filter(({ name }) => lost.has(name)));
    await Promise.all(this.pools.map((pool) => pool.close()));
    await end(this.hosts);
  }

  private host(
    { name, aheadMs = 0, chromium = '156', build = 'b1', boot = name, ...more }: HostStory,
    instance: string,
  ) {
    const client = this.bus.client(more.loses ? { loses: more.loses } : {});
    const fleets: ScriptedFleet[] = [];
    const said: string[] = [];
    const now = () => Date.now() + aheadMs;
    const playing =
      (player: string): StartFleet =>
      (options, listener) => {
        const fleet = new ScriptedFleet(options, listener, now, player);
        fleets.push(fleet);
        return fleet;
      };
    const arriving = more.startArriving?.(now);
    const facts = { instance, name, wireFormat, version: '0.1.0', build, cores: 2, memoryMb: 4000, boot };
    const agent = startAgent({
      bus: client,
      offer: {
        ...facts,
        ...(chromium === '' ? {} : { chromium }),
        ...(more.impairs ? { impairs: more.impairs } : {}),
        ...(more.app ? { app: more.app } : {}),
        ...(more.place ? { place: more.place } : {}),
        ...(more.carries === undefined
          ? {}
          : { carries: { full: more.carries, encoded: 9 * more.carries, native: 30 * more.carries } }),
      },
      memoryFreeMb: async () => 1000,
      fleets: {
        browsers: arriving ?? playing('browsers'),
        ...(more.browsersAlone ? {} : { native: arriving ?? playing('native') }),
        ...(more.app === undefined ? {} : { visiting: playing('visiting') }),
      },
      ...(more.app === undefined ? {} : { app: more.app }),
      chromiumPath: '/bin/chromium',
      ...(more.makeNetworks ? { makeNetworks: more.makeNetworks } : {}),
      ...(more.speakers ? { speakers: more.speakers } : {}),
      ...(more.calibrate ? { calibrate: more.calibrate } : {}),
      ...(more.allow ? { allowed: allowedOnly(more.allow) } : {}),
      now,
      ...(more.leaseMs === undefined ? {} : { leaseMs: more.leaseMs }),
      say: (text) => said.push(text),
    });
    return { name, client, agent, said, instance, fleets };
  }
}

interface PlayedFleet {
  readonly fleet: Fleet;
  readonly samples: readonly Sample[];
  readonly events: readonly FleetEvent[];
  join(changes?: {
    readonly negotiate?: Negotiate;
    readonly begin?: Begin;
    readonly size?: number;
    /** The one that all participants are on. */
    readonly network?: string;
  }): Promise<void>;
}

/** A fleet over the hosts of a pool, with what it tells. */
export function fleetOf(
  pool: HostPool,
  changes: Partial<FleetOptions> = {},
  players?: Parameters<typeof hostFleets>[1],
): PlayedFleet {
  const samples: Sample[] = [];
  const events: FleetEvent[] = [];
  const media = { width: 640, height: 360, framesPerSecond: 30, videoKbps: 500, videoCodec: 'VP8' } as const;
  const fleet = hostFleets(pool, players)(
    { chromiumPath: 'none', media, probesPerPage: 4, pagesPerBrowser: 4, ...changes },
    { onSamples: (batch) => void samples.push(...batch), onEvent: (event) => void events.push(event) },
  );
  const signal = new AbortController().signal;
  const answers: Negotiate = async ({ offer }) => ({
    answer: `answer to ${offer}`,
    addCandidate: async () => undefined,
  });
  return {
    fleet,
    samples,
    events,
    join: ({ negotiate = answers, begin, size = 2, network } = {}) => {
      const on = network === undefined ? {} : { network };
      const participants = oneToOne.sessions(size).flatMap((one) => one.participants.map((who) => ({ ...who, ...on })));
      const more = begin ? { begin } : {};
      return fleet.join(participants, { pacePerSecond: 100, deadlineMs: 5000, negotiate, ...more, signal });
    },
  };
}

/** A stage with these hosts, closed whatever the scene does. */
export async function onHosts(
  stories: readonly HostStory[],
  scene: (stage: HostsStage) => Promise<void>,
): Promise<void> {
  const stage = new HostsStage(stories);
  try {
    await scene(stage);
  } finally {
    await stage.close();
  }
}
