import { nearestWord } from '../../analysis/judge/thresholds/nearest-word.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { listedWith } from '../../model/listed.js';
import type { Plan } from '../../model/plan.js';
import type { Players } from '../../model/players.js';
import type { Panel, Scenario } from '../../model/scenario.js';
import type { Subscribing } from '../../model/subscribing.js';
import { usualPanel, usualRoomSize } from '../../model/usual-members.js';
import { scenarioOf, scenarios } from '../../scenarios/index.js';
import type { Flags, ValuesOf } from './flag.js';
import { usageError } from './usage-error.js';
import { count } from './written.js';

type SessionPlan = Pick<Plan, 'scenario' | 'roomSize' | 'panel' | 'subscribe' | 'record' | 'keepRecordings'>;

/** What the server has to say about sessions on it. */
export interface SessionServer {
  /** Whether it records; where it cannot, nothing is recorded unless asked. */
  readonly records: boolean;
  /** False where participants send nothing that could be recorded. */
  readonly sendsMedia?: boolean;
  /** Where it gives media on connections of their own. */
  readonly subscribe?: Subscribing | undefined;
  /** Absent: browsers. */
  readonly players?: Players;
}

const largestRoom = 64;
const namesOf = (which: (scenario: Scenario) => boolean) => scenarios.filter(which).map(({ name }) => name);
const withRooms = namesOf(({ ofMembers }) => ofMembers !== undefined);
const withPanel = namesOf(({ ofPanel }) => ofPanel !== undefined);
const recorded = namesOf((scenario) => scenario.recorded === true);

/** Who is in a session, whatever the server is. */
export const memberFlags = {
  roomSize: {
    about: `members of a room, in ${listedWith('and', withRooms)} (default: ${usualRoomSize})`,
    value: count({ from: 2, to: largestRoom }),
  },
  presenters: {
    takes: 'n',
    about: `who send pictures and sound in ${withPanel.join(', ')}, beside those whom a size counts (default: ${usualPanel.presenters})`,
    value: count({ to: largestRoom }),
  },
  handsUp: {
    takes: 'n',
    about: `who send sound alone in ${withPanel.join(', ')}, beside them (default: ${usualPanel.handsUp})`,
    value: count({ from: 0, to: largestRoom }),
  },
} as const satisfies Flags;

export const sessionFlags = {
  ...memberFlags,
  record: { about: `the server records what each participant sends (default in ${recorded.join(', ')})` },
  noRecord: { about: 'nothing is recorded (default in the others)' },
  keepRecordings: { about: 'move the recorded files into the folder of the run' },
} as const satisfies Flags;

/** Throws E_SCENARIO, E_USAGE. */
export function sessionOf(
  name: string,
  flags: Partial<ValuesOf<typeof sessionFlags>>,
  { records, subscribe, players, sendsMedia = true }: SessionServer,
): { scenario: Scenario; plan: SessionPlan } {
  const roomSize = roomSizeIn(name, flags.roomSize);
  const panel = panelIn(name, flags);
  const scenario = scenarioOf({ scenario: name, roomSize, panel, subscribe, players });
  if (!scenario) throw unknownScenario(name);
  const record = flags.record ?? (records && sendsMedia && scenario.recorded === true);
  if (flags.keepRecordings === true && !record) {
    const what = '--keep-recordings has nothing to keep: nothing is recorded.';
    throw usageError(what, ['--keep-recordings'], [{ leave: ['--keep-recordings'] }, { give: { '--record': true } }]);
  }
  const plan = {
    scenario: name,
    roomSize,
    panel,
    subscribe,
    record: record || undefined,
    keepRecordings: flags.keepRecordings || undefined,
  };
  return { scenario, plan: given(plan) };
}

function roomSizeIn(name: string, members: number | undefined): number | undefined {
  if (members === undefined || withRooms.includes(name) || !scenarios.some((scenario) => scenario.name === name)) {
    return members;
  }
  const todo = [{ leave: ['--room-size'] }, ...measuring(withRooms)];
  throw usageError(`--room-size is for scenarios with rooms; ${name} has none.`, ['--room-size'], todo);
}

const measuring = (names: readonly string[]) => names.map((name) => ({ measure: name }));

function panelIn(name: string, { presenters, handsUp }: Partial<ValuesOf<typeof sessionFlags>>): Panel | undefined {
  const given = [
    ...(presenters === undefined ? [] : ['--presenters']),
    ...(handsUp === undefined ? [] : ['--hands-up']),
  ];
  if (given.length === 0) return undefined;
  if (withPanel.includes(name) || !scenarios.some((scenario) => scenario.name === name)) {
    return { presenters: presenters ?? usualPanel.presenters, handsUp: handsUp ?? usualPanel.handsUp };
  }
  const todo = [{ leave: given }, ...measuring(withPanel)];
  throw usageError(`${given.join(' and ')} ${given.length === 1 ? 'is' : 'are'} not for ${name}.`, given, todo);
}

/** Throws E_SCENARIO naming those there are. */
export function readScenario(name: string): Scenario {
  const found = scenarios.find((one) => one.name === name);
  if (found) return found;
  throw unknownScenario(name);
}

function unknownScenario(name: string): LoadlineError {
  const names = scenarios.map((one) => one.name);
  const meant = nearestWord(name, names);
  return new LoadlineError('E_SCENARIO', `There is no scenario "${name}".`, {
    where: name,
    why: `known are: ${names.join(', ')}`,
    todo: { measure: meant ?? names[0] ?? '' },
  });
}
