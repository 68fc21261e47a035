import { type Command, Option } from 'commander';
import { defaultLayout, type LayoutChoice } from '../../analysis/needs/layout-choice.js';
import { once } from '../../host/once.js';
import { isCluster, planSchema } from '../../model/plan.js';
import { fullShareOf, type Players } from '../../model/players.js';
import type { Scenario } from '../../model/scenario.js';
import { byArrivals } from '../../scenarios/by-arrivals.js';
import { scenarios, sentinelsOf } from '../../scenarios/index.js';
import { onNetworks } from '../../scenarios/on-networks.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { type ArrivalFlags, addArrivalFlags, isAboutMedia, readArrivalFlags, withLegs } from './arrival-flags.js';
import { askedOf, assertTogether, givenOf, sessionServer } from './beside.js';
import { busFlagsOf } from './bus-flags.js';
import { readCamera } from './camera-flag.js';
import { assertCarries } from './carried.js';
import { addClusterFlags, type ClusterFlags, readDrill, readServers } from './cluster-flags.js';
import { addEvidenceFlags, type EvidenceFlags, readEvidenceFlags } from './evidence-flags.js';
import { addHostFlags, type HostFlags, readHostFlags } from './host-flags.js';
import { addLabelFlags, type LabelFlags, readLabelFlags } from './label-flags.js';
import { addMediaFlags, type MediaFlags, readMediaFlags } from './media-flags.js';
import { addNetworkFlags, type NetworkFlags, readNetworkFlags } from './network-flags.js';
import type { RunRequest } from './run-request.js';
import { addServerFlags } from './server.js';
import { addSessionFlags, readSessionFlags, type SessionFlags, unknownScenario } from './session-flags.js';
import { addSinkFlags, readSinkFlags } from './sink-flags.js';
import { addThresholdFlags, readThresholds, type ThresholdFlags } from './threshold-flags.js';
import { readTogether } from './together.js';
import { addTurnFlags, readTurn, type TurnFlags } from './turn-flags.js';
import {
  addVisitFlags,
  assertNotVisiting,
  readVisitFlags,
  type VisitFlags,
  visitedServer,
  visitingLayout,
} from './visit-flags.js';
import { count, duration, pace, type WrittenFlags, window, word } from './written.js';

/** The flags that `find` and `try` share, as words. */
export interface RunFlags
  extends NetworkFlags,
    ArrivalFlags,
    SessionFlags,
    MediaFlags,
    ThresholdFlags,
    EvidenceFlags,
    HostFlags,
    LabelFlags,
    VisitFlags,
    ClusterFlags,
    TurnFlags {
  readonly settle: string;
  readonly measure: string;
  readonly earlyStop?: boolean;
  readonly warmUp?: boolean;
  readonly pace?: string;
  readonly probesPerPage?: string;
  readonly chromium?: string;
  readonly out: string;
  readonly format: string;
}

export function addRunFlags(command: Command, kinds: readonly ServerKind[]): Command {
  const ofMedia = addMediaFlags(addTurnFlags(addHostFlags(addNetworkFlags(addThresholdFlags(addLabelFlags(command))))));
  addSinkFlags(addEvidenceFlags(addVisitFlags(addSessionFlags(addArrivalFlags(ofMedia)))));
  return addClusterFlags(addServerFlags(command, kinds))
    .option('--settle <time>', 'longest wait for rates to stop growing', '40s')
    .option('--measure <time>', 'length of the measured window', '60s')
    .option('--no-early-stop', 'measure to the end even when nothing can make the trial stable any more')
    .option('--no-warm-up', 'judge the first joins on a cold server, too')
    .option(
      '--pace <n/s>',
      'participants joining per second, or auto: faster while answers come as soon (default: auto where a search bisects, else 2/s)',
    )
    .option('--probes-per-page <n>', 'probes that share a browser page (default: 4 full, 64 encoded)')
    .option('--chromium <path>', 'the Chromium to use (also LOADLINE_CHROMIUM)')
    .option('--out <dir>', 'where the folder of this run is made', 'runs')
    .addOption(new Option('--format <format>', 'what stdout gets: text or json').default('text'));
}

/** How the values of these flags are written. */
export const runValues = {
  settle: duration,
  measure: window,
  pace,
  probesPerPage: count({ to: 64 }),
  format: word(['text', 'json'], 'must be text or json'),
} as const satisfies WrittenFlags;

/** What is asked, each part read when it is first wanted: what rests on a part that cannot be read is not told of a second time. */
function askedBy(name: string, flags: RunFlags, kinds: readonly ServerKind[]) {
  const named = once(() => readScenario(name));
  const visits = once(() => named().ofVisit !== undefined);
  const ofServer = once(() => readServers({ ...flags, server: visitedServer(flags.server, visits(), kinds) }, kinds));
  const media = once(() => readMediaFlags(flags));
  const load = once(() => readArrivalFlags(flags));
  const players = once((): Players => {
    if (visits()) return { kind: 'visiting', ...readVisitFlags(flags) };
    assertNotVisiting(flags);
    return withLegs(media().players, flags, ofServer().kind);
  });
  const ofSession = once(() => {
    named();
    return readSessionFlags(name, flags, sessionServer(ofServer(), players(), load()));
  });
  return { named, visits, ofServer, ofSession, media, players, load };
}

/** The parts of a request of which one may not go with another. */
function togetherOf({ named, ofServer, ofSession, media, players, load }: Omit<ReturnType<typeof askedBy>, 'visits'>) {
  const { kind, server } = ofServer();
  return {
    scenario: named(),
    laidOut: ofSession().scenario,
    players: players(),
    load: load(),
    server: { inWords: kind.inWords, abilities: kind.abilities, isCluster: isCluster(server) },
    codec: media().media.videoCodec,
  };
}

/** Checks everything that can be known before anything starts. Throws a LoadlineError with exit code 2. */
export function readRunFlags(
  name: string,
  flags: RunFlags & { readonly strategy?: string },
  kinds: readonly ServerKind[],
  timing = once(() => readTiming(flags)),
): RunRequest {
  const { visits, ...asked } = askedBy(name, flags, kinds);
  const { ofServer, ofSession, media, players } = asked;
  const thresholds = once(() => readThresholds(flags));
  const read = readTogether({
    ...asked,
    turn: () => readTurn(flags),
    evidence: () => readEvidenceFlags(flags),
    hosts: () => readHostFlags(flags, flags, ofServer().kind),
    networks: () => readNetworkFlags(flags),
    camera: () => readCamera(flags.camera, visits()),
    layout: () => (visits() ? visitingLayout : readLayout(flags, fullShareOf(players()) < 1)),
    thresholds,
    timing,
    format: () => runValues.format.read(flags.format, '--format'),
    copies: () => readSinkFlags({ ...flags }),
    together: () =>
      assertTogether({
        ...togetherOf(asked),
        given: givenOf(flags),
        mediaLimits: (flags.threshold ?? []).filter(isAboutMedia),
        measureMs: timing().measureMs,
        joinMsMax: thresholds().joinMsMax,
      }),
    labels: () => readLabelFlags(flags),
    drill: () => readDrill(flags, ofServer()),
    carried: () => assertCarries(ofServer().kind, askedOf(flags, ofSession(), media()), kinds),
  });
  const { networks, turn, evidence, hosts } = read;
  const { scenario, plan } = read.ofSession;
  return {
    kind: read.ofServer.kind,
    ...(read.ofServer.memberKind ? { memberKind: read.ofServer.memberKind } : {}),
    scenario: byArrivals(
      onNetworks(scenario, networks.networks, { oneBaseline: networks.absoluteLimits === true }),
      read.load,
      read.timing.measureMs,
      sentinelsOf({ ...plan, players: read.players }),
    ),
    plan: planSchema.parse({
      ...plan,
      server: read.ofServer.server,
      ...networks,
      ...(turn ? { turn } : {}),
      ...(evidence ? { evidence } : {}),
      ...(hosts ? { hosts } : {}),
      ...(read.drill ? { drill: read.drill } : {}),
      players: read.players,
      load: read.load,
      thresholds: read.thresholds,
      timing: read.timing,
      media: { ...read.media.media, ...read.camera },
      ...read.layout,
    }),
    chromium: flags.chromium,
    bus: busFlagsOf(flags),
    out: flags.out,
    format: read.format,
    copies: read.copies,
    labels: read.labels,
  };
}

const usualPace = '2/s';

/**
 * The pace of a search where nobody says one. It becomes faster where a trial that fails because of that is found out: bisection
 * repeats at the usual pace what failed at a faster one. Where joining is all that is judged, it stays the same for all trials.
 */
export function paceOfSearch({ strategy, by, media }: Pick<RunFlags, 'by' | 'media'> & { strategy: string }): string {
  return strategy === 'bisect' && by !== 'arrivals' && media !== 'none' ? 'auto' : usualPace;
}

/** Reads how long a trial takes, with this pace where none was asked for. Throws E_USAGE, E_DURATION. */
export function readTiming(
  flags: Pick<RunFlags, 'settle' | 'measure' | 'pace' | 'earlyStop' | 'warmUp'>,
  unasked = usualPace,
) {
  const read = readTogether({
    pace: () => runValues.pace.read(flags.pace ?? unasked, '--pace'),
    settleMs: () => runValues.settle.read(flags.settle, '--settle'),
    measureMs: () => runValues.measure.read(flags.measure, '--measure'),
  });
  const { pace: asked, ...times } = read;
  return {
    ...times,
    // What it begins with is what it is without.
    ...(asked === 'auto' ? { autoPace: true } : { pacePerSecond: asked }),
    ...(flags.earlyStop === false ? { earlyStop: false } : {}),
    ...(flags.warmUp === false ? { warmUp: false } : {}),
  };
}

/** How many probes share a page and how many pages a browser, where no flag says so. */
function readLayout({ probesPerPage }: Pick<RunFlags, 'probesPerPage'>, encoded: boolean): LayoutChoice {
  const chosen = defaultLayout(encoded);
  if (probesPerPage === undefined) return chosen;
  return { ...chosen, probesPerPage: runValues.probesPerPage.read(probesPerPage, '--probes-per-page') };
}

export function scenarioLines(): string {
  return scenarios.map((one) => `  ${one.name.padEnd(14)} ${one.summary}`).join('\n');
}

/** Throws E_SCENARIO naming those there are. */
export function readScenario(name: string): Scenario {
  const found = scenarios.find((one) => one.name === name);
  if (found) return found;
  throw unknownScenario(name);
}
