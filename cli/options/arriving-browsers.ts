import type { ArrivalsPlan } from '../../model/arrivals.js';
import { fullShareOf, type Players } from '../../model/players.js';
import type { Scenario } from '../../model/scenario.js';
import { usageError } from './usage-error.js';

/** What else was asked where those who come are browsers. */
export interface BesideBrowsers {
  readonly arrivals: ArrivalsPlan;
  readonly scenario: Scenario;
  readonly players: Players;
  /** Flags that were given and are about links, recordings, presets. */
  readonly aboutMedia: readonly string[];
  readonly measureMs: number;
  readonly joinMsMax: number;
}

/** Below this hardly anything is left of a stay once its beginning is not measured. */
const shortestHoldMs = 8000;

/** Throws E_USAGE for what browsers that come and go cannot do yet, each in one sentence. */
export function assertBrowsersComeAndGo(asked: BesideBrowsers): void {
  const { scenario, aboutMedia, players } = asked;
  if (scenario.coming?.meets) {
    const why = 'members who are there would have to take up connections to those who come';
    const todo = 'add --media none, or measure one-to-one';
    throw usageError(`--by arrivals with media is not for ${scenario.name}.`, ['--by', scenario.name], todo, why);
  }
  const fullShare = fullShareOf(players);
  if (fullShare > 0 && fullShare < 1) {
    const why = 'pages are used again by all who come, and are of one kind';
    throw usageError('--full-share is not for --by arrivals.', ['--full-share', '--by'], 'leave it out', why);
  }
  if (aboutMedia.length > 0) {
    const why = 'browsers that come and go are on the network of their host, and are not recorded';
    const text = `${aboutMedia.join(', ')} cannot be given with --by arrivals.`;
    throw usageError(text, ['--by', ...aboutMedia], 'leave it out', why);
  }
  assertTimes(asked);
}

function assertTimes({ measureMs, joinMsMax, arrivals }: BesideBrowsers): void {
  const { holdMs, stay, storm, reconnect } = arrivals;
  const flag = reconnect ? '--reconnect' : storm === undefined ? undefined : '--storm';
  if (flag !== undefined || stay !== 'constant') {
    const given = flag ?? '--stay exponential';
    const why = 'what browsers see is compared over whole stays, which have to be alike';
    throw usageError(`${given} is for --media none.`, [given, '--media'], 'add --media none, or leave it out', why);
  }
  if (holdMs < shortestHoldMs) {
    const text = `--hold is ${holdMs / 1000} s, too short for browsers.`;
    const todo = `give at least ${shortestHoldMs / 1000}s, or add --media none`;
    throw usageError(text, ['--hold', '--media'], todo, 'the first seconds of each stay are not measured');
  }
  const leastMs = holdMs + joinMsMax;
  if (measureMs >= leastMs) return;
  const text = `--measure is ${measureMs / 1000} s, in which nobody may come and leave who stays for ${holdMs / 1000} s.`;
  const todo = `give --measure ${Math.ceil(leastMs / 1000)}s or more, or a shorter --hold`;
  const why = 'media is judged of those whose whole stay, joining included, is in the window';
  throw usageError(text, ['--measure', '--hold'], todo, why);
}
