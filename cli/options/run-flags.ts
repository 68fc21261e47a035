import { type Command, Option } from 'commander';
import { defaultLayout, type LayoutChoice } from '../../analysis/search/layout-choice.js';
import { type Plan, planSchema } from '../../model/plan.js';
import type { Scenario } from '../../model/scenario.js';
import { scenarios } from '../../scenarios/index.js';
import { onNetworks } from '../../scenarios/on-networks.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { assertCarries } from './carried.js';
import { addMediaFlags, type MediaFlags, readMediaFlags } from './media-flags.js';
import { addNetworkFlags, type NetworkFlags, readNetworkFlags } from './network-flags.js';
import type { RunRequest } from './run-request.js';
import { addServerFlags, readServer } from './server.js';
import { addSessionFlags, readSessionFlags, type SessionFlags, unknownScenario } from './session-flags.js';
import { addSinkFlags, readSinkFlags } from './sink-flags.js';
import { addThresholdFlags, readThresholds, type ThresholdFlags } from './threshold-flags.js';
import { addTurnFlags, readTurn, type TurnFlags } from './turn-flags.js';
import { readCount, readDuration, readPace, readWindow, readWord } from './values.js';

/** The flags that `find` and `try` share, as words. */
export interface RunFlags extends NetworkFlags, SessionFlags, MediaFlags, ThresholdFlags, Omit<TurnFlags, 'network'> {
  readonly server: string;
  readonly settle: string;
  readonly measure: string;
  readonly earlyStop?: boolean;
  readonly warmUp?: boolean;
  readonly pace: string;
  readonly probesPerPage?: string;
  readonly chromium?: string;
  readonly out: string;
  readonly format: string;
}

export function addRunFlags(command: Command, kinds: readonly ServerKind[]): Command {
  addSinkFlags(addSessionFlags(addMediaFlags(addTurnFlags(addNetworkFlags(addThresholdFlags(command))))));
  return addServerFlags(command, kinds)
    .option('--settle <time>', 'longest wait for rates to stop growing', '40s')
    .option('--measure <time>', 'length of the measured window', '60s')
    .option('--no-early-stop', 'measure to the end even when nothing can make the trial stable any more')
    .option('--no-warm-up', 'judge the first joins on a cold server, too')
    .option('--pace <n/s>', 'participants joining per second', '2/s')
    .option('--probes-per-page <n>', 'probes that share a browser page (default: 4 full, 64 encoded)')
    .option('--chromium <path>', 'the Chromium to use (also LOADLINE_CHROMIUM)')
    .option('--out <dir>', 'where the folder of this run is made', 'runs')
    .addOption(new Option('--format <format>', 'what stdout gets: text or json').default('text'));
}

/** Checks everything that can be known before anything starts. Throws a LoadlineError with exit code 2. */
export function readRunFlags(
  name: string,
  flags: RunFlags,
  search: Partial<Plan['search']>,
  kinds: readonly ServerKind[],
): RunRequest {
  if (!scenarios.some((one) => one.name === name)) throw unknownScenario(name);
  const { kind, server } = readServer({ ...flags }, kinds);
  const session = readSessionFlags(name, flags, kind.abilities.records);
  const turn = readTurn(flags);
  const networks = readNetworkFlags(flags);
  const media = readMediaFlags(flags);
  const { scenario, plan } = session;
  const asked = { scenario, records: plan.record === true, relayed: turn !== undefined, codec: media.media.videoCodec };
  assertCarries(kind, asked, kinds);
  return {
    kind,
    scenario: onNetworks(session.scenario, networks.networks, { oneBaseline: networks.absoluteLimits === true }),
    plan: planSchema.parse({
      ...session.plan,
      server,
      ...networks,
      ...(turn ? { turn } : {}),
      thresholds: readThresholds(flags),
      search,
      timing: {
        pacePerSecond: readPace(flags.pace, '--pace'),
        settleMs: readDuration(flags.settle, '--settle'),
        measureMs: readWindow(flags.measure, '--measure'),
        ...(flags.earlyStop === false ? { earlyStop: false } : {}),
        ...(flags.warmUp === false ? { warmUp: false } : {}),
      },
      ...media,
      ...readLayout(flags, media.encoded !== undefined && media.encoded.fullShare < 1),
    }),
    chromium: flags.chromium,
    out: flags.out,
    format: readWord(flags.format, '--format', ['text', 'json']),
    copies: readSinkFlags({ ...flags }),
  };
}

/** What is left to choose is chosen for this host. */
function readLayout({ probesPerPage }: Pick<RunFlags, 'probesPerPage'>, encoded: boolean): LayoutChoice {
  const chosen = defaultLayout(encoded);
  if (probesPerPage === undefined) return chosen;
  return { ...chosen, probesPerPage: readCount(probesPerPage, '--probes-per-page', { to: 64 }) };
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
