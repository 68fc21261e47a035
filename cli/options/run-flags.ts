import type { Command } from 'commander';
import { defaultLayout, type LayoutChoice } from '../../analysis/needs/layout-choice.js';
import { once } from '../../host/once.js';
import { given } from '../../model/given.js';
import { comeAndGo } from '../../model/load.js';
import { isCluster, planSchema, type Timing } from '../../model/plan.js';
import { fullShareOf, type Players } from '../../model/players.js';
import { scenarioOf, scenarios } from '../../scenarios/index.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { assertProfileOf, profileFlags } from '../profiles/index.js';
import { arrivalFlags, isAboutMedia, loadOf, withLegs } from './arrival-flags.js';
import { askedAbilities, assertTogether, givenOf, sessionServer } from './beside.js';
import { busFlagsOf } from './bus-flags.js';
import { assertCarries } from './carried.js';
import { clusterFlags, drillOf, readServers, type ServerWords } from './cluster-flags.js';
import { assertReachable } from './contradictions.js';
import { evidenceFlags, evidenceOf } from './evidence-flags.js';
import { addFlags, type Flags, readEach, type ValuesOf, valuesOf, type WordsOf } from './flag.js';
import { hostFlags, hostsOf, playsElsewhere } from './host-flags.js';
import { labelFlags, labelsOf } from './label-flags.js';
import { assertLayers } from './layer-sizes.js';
import { mediaFlags, mediaOf } from './media-flags.js';
import { networkFlags } from './network-flags.js';
import type { RunRequest } from './run-request.js';
import { addServerFlags } from './server.js';
import { readScenario, sessionFlags, sessionOf } from './session-flags.js';
import { readSinks, sinkFlags } from './sink-flags.js';
import { thresholdFlags, thresholdsOf, withAppAnswer } from './threshold-flags.js';
import { readTogether } from './together.js';
import { turnFlags, turnOf } from './turn-flags.js';
import { assertNotVisiting, visitedServer, visitFlags, visitingLayout, visitOf } from './visit-flags.js';
import { count, duration, format, pace, window } from './written.js';

export const trialFlags = {
  settle: { about: 'longest wait for rates to stop growing', value: duration, usual: '40s' },
  measure: { about: 'measured window, 10s or more', value: window, usual: '60s', everyday: true },
  earlyStop: { about: 'measure to the end even when nothing can make the trial stable any more', negates: true },
  warmUp: { about: 'judge the first joins on a cold server, too', negates: true },
  pace: {
    about:
      'participants joining per second, or auto: faster while answers come as soon (default: auto where a search bisects, else 2/s)',
    value: pace,
  },
  probesPerPage: { about: 'probes that share a browser page (default: 4 full, 64 encoded)', value: count({ to: 64 }) },
  chromium: { takes: 'path', about: 'the Chromium to use (also LOADLINE_CHROMIUM)', onResume: 'may' },
} as const satisfies Flags;

export const outputFlags = {
  out: { takes: 'dir', about: 'where the folder of this run is made', usual: 'runs' },
  format: {
    takes: 'format',
    about: 'what stdout gets: text or json',
    value: format,
    usual: 'text',
    onResume: 'may',
    everyday: true,
  },
} as const satisfies Flags;

const sentFlags = { ...profileFlags, ...mediaFlags, ...sessionFlags } as const satisfies Flags;

/** The flags that `find` and `try` share, beside those that kinds of server and of sink have. */
const runFlags = {
  ...sentFlags,
  ...arrivalFlags,
  ...visitFlags,
  ...clusterFlags,
  ...networkFlags,
  ...turnFlags,
  ...hostFlags,
  ...thresholdFlags,
  ...trialFlags,
  ...evidenceFlags,
  ...labelFlags,
  ...outputFlags,
} as const satisfies Flags;

export type RunWords = WordsOf<typeof runFlags> & ServerWords;

export function addRunFlags(command: Command, kinds: readonly ServerKind[]): Command {
  addFlags(command.optionsGroup('Participants and what they send:'), sentFlags);
  addFlags(command.optionsGroup('What a size counts:'), arrivalFlags);
  addServerFlags(command.optionsGroup('The media server:'), kinds);
  addFlags(command, clusterFlags);
  addFlags(command.optionsGroup('A web app that is visited:'), visitFlags);
  addFlags(command.optionsGroup('Networks and where probes are played:'), {
    ...networkFlags,
    ...turnFlags,
    ...hostFlags,
  });
  addFlags(command.optionsGroup('Limits:'), thresholdFlags);
  addFlags(command.optionsGroup('A trial:'), trialFlags);
  const read = command.optionsGroup('What is read of the server, and where points go:');
  addFlags(read, { ...evidenceFlags, ...sinkFlags() });
  return addFlags(command.optionsGroup('The run:'), { ...labelFlags, ...outputFlags });
}

/** The flags of a run: as words, for what is asked of kinds of server and of sink, and as values. */
interface AskedRun {
  readonly words: RunWords;
  readonly asked: ValuesOf<typeof runFlags>;
  readonly timing: () => ReturnType<typeof timingOf>;
}

/** With this pace where none was asked for. */
export function askedRun(words: RunWords, usual?: () => Pace): AskedRun {
  const asked = valuesOf(runFlags, words);
  return { words, asked, timing: once(() => timingOf(asked, usual)) };
}

/** Memoised: a bad part is reported once. */
function partsOf(name: string, { words, asked }: AskedRun, kinds: readonly ServerKind[]) {
  const named = once(() => readScenario(name));
  const visits = once(() => named().ofVisit !== undefined);
  const ofServer = once(() =>
    readServers({ ...words, server: visitedServer(words.server, visits(), kinds) }, asked, kinds),
  );
  const media = once(() => mediaOf(asked, ofServer().kind.abilities));
  const load = once(() => loadOf(asked));
  const players = once((): Players => {
    if (visits()) return { kind: 'visiting', ...visitOf(asked) };
    assertNotVisiting(asked);
    return withLegs(media().players, asked.legs, ofServer().kind);
  });
  const ofSession = once(() => {
    named();
    return sessionOf(name, asked, sessionServer(ofServer(), players(), load()));
  });
  return { named, visits, ofServer, ofSession, media, players, load };
}

/** The parts of a request of which one may not go with another. */
function togetherOf({ named, ofServer, ofSession, media, players, load }: ReturnType<typeof partsOf>) {
  const { kind, server } = ofServer();
  return {
    scenario: named(),
    laidOut: ofSession().scenario,
    players: players(),
    load: load(),
    server: {
      inWords: kind.inWords,
      abilities: kind.abilities,
      isCluster: isCluster(server),
      isStarted: kind.place.by === 'start',
    },
    codec: media().media.videoCodec,
    crowd: media().media,
    records: ofSession().plan.record === true,
  };
}

/** Checks everything that can be known before anything starts. Throws a LoadlineError with exit code 2. */
export function readRunFlags(name: string, run: AskedRun, kinds: readonly ServerKind[]): RunRequest {
  const { words, asked } = run;
  const parts = partsOf(name, run, kinds);
  const { visits, ofServer, ofSession, media } = parts;
  const limits = once(() => thresholdsOf(withAppAnswer(asked, visits() && comeAndGo(parts.load()))));
  const read = readTogether({
    ...parts,
    each: () => readEach(runFlags, asked),
    turn: () => turnOf(asked),
    hosts: () => hostsOf(asked, ofServer().kind),
    layout: () => (visits() ? visitingLayout : layoutOf(asked.probesPerPage, fullShareOf(parts.players()) < 1)),
    thresholds: limits,
    timing: run.timing,
    copies: () => readSinks(words),
    together: () =>
      assertTogether({
        ...togetherOf(parts),
        given: givenOf(words),
        elsewhere: asked.hosts !== undefined && playsElsewhere({ hosts: { from: asked.hosts } }),
        mediaLimits: asked.threshold.filter(isAboutMedia),
        measureMs: run.timing().measureMs,
        joinMsMax: limits().joinMsMax,
      }),
    layers: () => assertLayers(asked.simulcast === true, media().media),
    labels: () => labelsOf(asked),
    profile: () => assertProfileOf(name, asked.profile),
    carried: () => assertCarries(ofServer().kind, askedAbilities(words, ofSession(), media()), kinds),
  });
  const { kind, memberKind, server } = read.ofServer;
  const { players, load, thresholds, timing, turn, hosts } = read;
  const { network: networks, absoluteLimits = false } = asked;
  const [evidence, drill] = [evidenceOf(asked), drillOf(asked)];
  const plan = planSchema.parse({
    ...read.ofSession.plan,
    server,
    ...given({ networks, absoluteLimits: absoluteLimits || undefined, turn, evidence, hosts, drill }),
    players,
    load,
    thresholds,
    timing,
    media: { ...read.media.media, ...asked.camera },
    ...read.layout,
  });
  const scenario = scenarioOf(plan) ?? read.ofSession.scenario;
  assertReachable(plan, scenario, asked.threshold);
  return {
    kind,
    ...given({ memberKind, trace: asked.trace, video: asked.video }),
    scenario,
    plan,
    chromium: asked.chromium,
    bus: busFlagsOf(asked),
    out: asked.out,
    format: asked.format,
    copies: read.copies,
    labels: read.labels,
  };
}

type Pace = number | 'auto';
const usualPace = (): Pace => 2;

/**
 * The pace of a search where nobody says one. It becomes faster where a trial that fails because of that is found out:
 * bisection repeats at the usual pace what failed at a faster one. Where joining is all that is judged, it stays the
 * same for all trials.
 */
export function paceOfSearch(strategy: string, { by, media }: Pick<ValuesOf<typeof runFlags>, 'by' | 'media'>): Pace {
  return strategy === 'bisect' && !comeAndGo({ by }) && media !== 'none' ? 'auto' : usualPace();
}

type AskedTiming = Pick<ValuesOf<typeof trialFlags>, 'settle' | 'measure' | 'pace' | 'earlyStop' | 'warmUp'>;

/** How long a trial takes, with this pace where none was asked for. */
export function timingOf(
  asked: AskedTiming,
  usual = usualPace,
): Partial<Timing> & Pick<Timing, 'settleMs' | 'measureMs'> {
  const { settle, measure, pace = usual(), earlyStop, warmUp } = asked;
  return {
    settleMs: settle,
    measureMs: measure,
    // `auto` starts at the default pace, so none is stored.
    ...(pace === 'auto' ? { autoPace: true } : { pacePerSecond: pace }),
    ...(earlyStop === false ? { earlyStop: false } : {}),
    ...(warmUp === false ? { warmUp: false } : {}),
  };
}

/** How many probes share a page and how many pages a browser, where no flag says so. */
function layoutOf(probesPerPage: number | undefined, encoded: boolean): LayoutChoice {
  return { ...defaultLayout(encoded), ...given({ probesPerPage }) };
}

export function scenarioLines(): string {
  const width = Math.max(...scenarios.map(({ name }) => name.length));
  return scenarios.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n');
}
