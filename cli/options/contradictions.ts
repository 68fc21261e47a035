import type { Command } from 'commander';
import { neverMeasured } from '../../analysis/judge/never-measured.js';
import { readExpression } from '../../analysis/judge/thresholds/expression.js';
import { largestThat, shortestSettleMs } from '../../analysis/needs/plan-cost.js';
import { countedPlan, samplesMbOf } from '../../analysis/needs/trials-cost.js';
import { LoadlineError } from '../../model/errors.js';
import { expectedStreams, isMix, videoKbpsOf } from '../../model/expected-streams.js';
import { isSimulated, type Plan, type Timing } from '../../model/plan.js';
import { oneOut } from '../../model/remedy.js';
import { type Direction, participantsOf, type Scenario } from '../../model/scenario.js';
import { videoKbpsRange } from './media-flags.js';
import { usageError } from './usage-error.js';

/** Flags that are right by themselves, but contradict each other or have no effect together. */

/** Throws E_USAGE for what is required of a search that tries nothing so large. */
export function assertRequired(required: number | undefined, max: number): void {
  if (required === undefined || required <= max) return;
  throw new LoadlineError('E_USAGE', `--require ${required} is above ${max}, the largest size that is tried.`, {
    where: '--require, --max, --sizes',
    why: 'no search could show that so many hold',
    todo: [{ give: { '--require': max }, note: 'or less' }, `try sizes up to ${required}`],
  });
}

/**
 * Throws E_USAGE for a limit that can never be met or judged; `limits` are those that were asked for. Without a join
 * script, nobody tells a value of the app. No probe sends video above `--video-kbps`; an app and a mix have rates of
 * their own.
 */
export function assertReachable(plan: Plan, scenario: Scenario, limits: readonly string[]): void {
  assertMeasured(limits, plan, scenario);
  const { thresholds, players, server } = plan;
  const { videoKbps } = plan.media;
  const isVisit = players.kind === 'visiting';
  for (const rule of thresholds.also ?? []) {
    if (rule.of === 'app' && !(isVisit && players.join !== undefined)) {
      const what = `The limit ${rule.text} is on what a join script tells, and there is none.`;
      const todo = 'leave the limit out, or visit a web app with --join';
      throw usageError(what, ['--threshold', '--join'], todo);
    }
    if (isVisit) continue;
    if (rule.of !== 'stream' || rule.aggregate !== 'bitrateKbps' || rule.kind === 'audio') continue;
    const most = mostKbps(rule, scenario, videoKbps);
    if (rule.comparison === 'at-most' || rule.ofBaseline || rule.limit <= most) continue;
    const needed = Math.ceil((rule.limit * videoKbps) / most);
    const isFixed = isSimulated(server) || needed > videoKbpsRange.to;
    const more = isFixed ? [] : [{ give: { '--video-kbps': needed } }];
    throw usageError(
      `The limit ${rule.text} cannot be met: probes send at most ${most} kbit/s of such video.`,
      isSimulated(server) ? ['--threshold'] : ['--threshold', '--video-kbps'],
      [...more, `limit it to ${most} kbit/s or less`],
      isSimulated(server) ? 'simulated probes send so much' : `--video-kbps is ${videoKbps}`,
    );
  }
}

/**
 * Throws E_USAGE for a limit, as asked for, on what no probe of the plan measures: each trial would be void.
 * What is simulated or stored cannot be asked for more.
 */
export function assertMeasured(limits: readonly string[], plan: Plan, scenario: Scenario, isStored = false): void {
  const sizes = [scenario.baselineSize, scenario.baselineSize + fewMore];
  const streams = sizes.flatMap((size) => expectedStreams(participantsOf(scenario.sessions(size))));
  for (const text of limits) {
    const read = readExpression(text);
    if (!read.ok || read.expression.of !== 'stream') continue;
    const unmet = neverMeasured(read.expression, plan, streams);
    if (!unmet) continue;
    const more = isStored || isSimulated(plan.server) || !unmet.todo ? [] : [unmet.todo];
    throw usageError(
      `Nothing measures what "${text}" limits.`,
      ['--threshold'],
      [...more, { leave: [text] }],
      unmet.why,
    );
  }
}

/** So that a share of participants is somebody. */
const fewMore = 8;

/** Of all videos that are not mixed, in this direction; without any, there is no bound. */
function mostKbps({ direction }: { readonly direction?: Direction | undefined }, scenario: Scenario, allKbps: number) {
  const streams = expectedStreams(participantsOf(scenario.sessions(scenario.baselineSize)));
  const videos = streams.filter(
    (one) => one.kind === 'video' && !isMix(one) && (direction ?? one.direction) === one.direction,
  );
  return videos.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...videos.map((one) => videoKbpsOf(one, allKbps)));
}

/** Throws E_USAGE for both of `--record` and `--no-record`, of which the parser would silently keep the last. */
export function assertOneRecord(args: readonly string[]): void {
  if (!args.includes('--record') || !args.includes('--no-record')) return;
  const what = '--record and --no-record contradict each other.';
  throw usageError(what, ['--record', '--no-record'], oneOut('--record', '--no-record'));
}

/** One trial searches nothing: throws E_USAGE for what only a search reads. */
export function assertNoSearch(command: Command): void {
  const searches = ['from', 'max', 'confirm', 'within', 'strategy', 'sizes', 'confidence', 'budget', 'require'];
  const given = searches.filter((name) => command.getOptionValueSource(name) === 'cli').map((name) => `--${name}`);
  if (given.length === 0) return;
  const todo = [{ leave: ['--size'] }, { leave: given }];
  const why = '--size is one trial instead of a search';
  throw usageError(`${given.join(', ')} cannot be given with --size.`, ['--size', ...given], todo, why);
}

/** Throws E_USAGE for a budget in which no trial could end, however soon its participants have joined and settled. */
export function assertBudgetHolds(
  budgetMs: number | undefined,
  { settleMs, measureMs }: Pick<Timing, 'settleMs' | 'measureMs'>,
): void {
  const leastMs = measureMs + Math.min(settleMs, shortestSettleMs);
  if (budgetMs === undefined || budgetMs >= leastMs) return;
  throw new LoadlineError('E_USAGE', `--budget ${budgetMs / 1000}s has no room for one trial.`, {
    where: '--budget, --measure',
    why: `a trial takes ${leastMs / 1000}s at least: it measures for ${measureMs / 1000}s, after joining and settling`,
    todo: [{ give: { '--budget': `${leastMs / 1000}s` }, note: 'or more' }, 'a shorter --measure'],
  });
}

/** A simulated trial of more samples takes longer than half a minute to play, and its time grows with their number. */
const mostSimulatedMb = 100;

/** Throws E_USAGE where a flag names a size of which one simulated trial would take minutes to play. */
export function assertSimulable(
  plan: Plan,
  scenario: Scenario,
  { size, flag }: { readonly size: number; readonly flag: string },
): void {
  const asked = countedPlan(plan, scenario);
  const isQuick = (one: number) => samplesMbOf(asked, [one]) <= mostSimulatedMb;
  if (isQuick(size)) return;
  const most = largestThat(size, isQuick);
  throw usageError(
    `A simulated trial of ${size} ${scenario.unit.many} would take minutes to play.`,
    [flag, '--pace', '--measure'],
    most > 0 ? { give: { [flag]: most }, note: 'or less' } : 'give a higher --pace, or a shorter --measure',
    `it is ${asked.probesAt(size)} probes that join at ${plan.timing.pacePerSecond}/s, each simulated for every second`,
  );
}
