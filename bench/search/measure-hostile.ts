import { nextStep } from '../../analysis/search/search.js';
import { searchSchema } from '../../model/plan.js';
import type { Answer, TrialOutcome } from '../../model/run.js';
import { randomFrom } from '../../tests/random.js';
import type { HostileRow, HostileServer } from './hostile-server.js';

/** Shares are percentages of the row's servers. */
export interface HostileQuality {
  /** The headline says something that is not so: a limit that is none, "not even one", or drift where there is none. */
  readonly falsePercent: number;
  /** Of the limits that are named, those that truly pass at least 80 % of their trials. */
  readonly trulyStablePercent: number;
  readonly driftingPercent: number;
  /** Void, or an interval of a search that gave up. */
  readonly unansweredPercent: number;
  readonly trials: number;
  readonly trials95: number;
  readonly mostTrials: number;
}

interface Searched {
  readonly server: HostileServer;
  readonly history: readonly TrialOutcome[];
  readonly answer: Answer;
}

const options = searchSchema.parse({ max: 2048 });
const stableShare = 0.8;

export function measureHostile({ name, draw, drifts }: HostileRow, servers: number): HostileQuality {
  const searched = Array.from({ length: servers }, (_, index) => {
    const random = randomFrom((index + 1) * 7919 + 131 * name.length);
    return search(draw(random), random);
  });
  const trials = searched.map(({ history }) => history.length).sort((a, b) => a - b);
  const percent = (fits: (one: Searched) => boolean, of: readonly Searched[] = searched) =>
    of.length === 0 ? 100 : (100 * of.filter(fits).length) / of.length;
  return {
    falsePercent: percent((one) => isFalse(one, drifts)),
    trulyStablePercent: percent(isTrulyStable, searched.filter(hasLimit)),
    driftingPercent: percent(({ answer }) => answer.outcome === 'drifting'),
    unansweredPercent: percent(({ answer }) => answer.outcome === 'void' || answer.cutShort === true),
    trials: trials.reduce((sum, count) => sum + count, 0) / servers,
    trials95: trials[Math.floor(trials.length * 0.95)] ?? 0,
    mostTrials: trials.at(-1) ?? 0,
  };
}

function search(server: HostileServer, random: () => number): Searched {
  const history: TrialOutcome[] = [];
  for (;;) {
    const step = nextStep(options, 1, history);
    if (step.kind === 'done') return { server, history, answer: step.answer };
    const { size } = step;
    const passes = random() < server.chance(size, history);
    const cores = server.cores?.(size, history);
    const cost = cores === undefined ? {} : { cost: { serverCores: cores } };
    history.push(passes ? { size, verdict: 'stable', ...cost } : { size, verdict: 'unstable' });
  }
}

function hasLimit({ answer }: Searched): boolean {
  return answer.outcome === 'found' || answer.outcome === 'reached-max';
}

/** As the server was in the last trial. */
function isTrulyStable({ server, history, answer }: Searched): boolean {
  return server.truth(answer.stable, history.slice(0, -1)) >= stableShare;
}

function isFalse(searched: Searched, drifts: boolean): boolean {
  const { server, history, answer } = searched;
  if (answer.outcome === 'drifting') return !drifts;
  if (answer.outcome === 'baseline-unstable') return server.truth(1, history.slice(0, -1)) >= stableShare;
  return hasLimit(searched) && !isTrulyStable(searched);
}
