import type { WideEdge } from '../../model/answer-parts.js';
import type { SearchOptions } from '../../model/plan.js';
import type { Answer, Outcome } from '../../model/run.js';
import { type Ceiling, flakySizes, hasPassed, type Landscape, tallyOf } from './landscape.js';

/** "3 of 4", of trials that confirm something; "3 of 4 (2 with a background)"; "steering" where none did. */
export function record(landscape: Landscape, size: number): string {
  const { passes, fails, screened, background } = tallyOf(landscape, size);
  if (passes + fails === 0 && screened > 0) return 'steering';
  const apart = background === undefined ? '' : ` (${background} with a background)`;
  return `${passes} of ${passes + fails}${apart}`;
}

/** The search's end, with both sides known: the limit lies between `stable` and `unstable`. */
export function foundBetween(landscape: Landscape, stable: number, unstable: number): Answer {
  const { fails } = tallyOf(landscape, unstable);
  const sides = `${stable} was stable in ${record(landscape, stable)} trials, ${unstable} unstable in ${fails} of ${fails}.`;
  const because = `${sides}${asideWords(landscape, stable)}`;
  return { outcome: 'found', stable, unstable, ...asides(landscape, stable), because };
}

/** The search's end with nothing refuted above: it stopped at a wall of its own, not at the server's. */
export function stableUpTo(options: SearchOptions, landscape: Landscape, stable: number): Answer {
  const outcome: Outcome = landscape.ceiling ? 'probe-limited' : 'reached-max';
  const because = `${stable} was stable in ${record(landscape, stable)} trials.${asideWords(landscape, stable)} ${wallWords(options, landscape)}`;
  return { outcome, stable, unstable: null, ...asides(landscape, stable), because };
}

/** The ramp's end: the last size held, and the failed one that stopped it, or null when it stopped before one. */
export function heldAt(landscape: Landscape, stable: number, unstable: number | null): Answer {
  const held = `${stable} was held and stable in ${record(landscape, stable)} trials.`;
  const stop =
    unstable === null
      ? 'A metric came near its threshold, so no more were tried.'
      : `${unstable} was stable in ${record(landscape, unstable)}.`;
  return { outcome: 'found', stable, unstable, flaky: flakySizes(landscape), because: `${held} ${stop}` };
}

/** At the end of a list: the largest size that only passed, nothing below failed; the smallest that only failed. */
export function fixedAnswer(options: SearchOptions, landscape: Landscape, baselineSize: number): Answer {
  const { smallestFail, largestPass } = landscape;
  const below = landscape.tallies.filter((tally) => smallestFail === null || tally.size < smallestFail);
  const stable = below.at(-1)?.size ?? 0;
  if (smallestFail === null) return stableUpTo(options, landscape, stable);
  if (stable === 0) return baselineUnstable(landscape, baselineSize);
  const unstable = landscape.tallies.find((tally) => tally.size > (largestPass ?? 0))?.size ?? null;
  const list = landscape.tallies.map(({ size }) => `${size} stable in ${record(landscape, size)}`).join(', ');
  return { outcome: 'found', stable, unstable, flaky: flakySizes(landscape), because: `Of the list: ${list}.` };
}

export function baselineUnstable(landscape: Landscape, baselineSize: number): Answer {
  const { passes, fails } = tallyOf(landscape, baselineSize);
  const how = passes === 0 ? '' : ` in ${fails} of ${passes + fails} trials`;
  return {
    outcome: 'baseline-unstable',
    stable: 0,
    unstable: baselineSize,
    flaky: flakySizes(landscape),
    because: `The baseline of ${baselineSize} was unstable${how}, so no larger size can mean anything.`,
  };
}

export function nothingToSay(landscape: Landscape, baselineSize: number): Answer {
  const cause =
    landscape.ceiling?.cause === 'exhausted'
      ? `The probes are exhausted by the baseline of ${baselineSize}`
      : `Every repeat of the baseline of ${baselineSize} was ${landscape.ceiling?.disturbed ? 'void or disturbed' : 'void'}`;
  return { outcome: 'void', stable: 0, unstable: null, flaky: [], because: `${cause}, so nothing can be said.` };
}

/** The search's end where trials went on contradicting each other: what is likeliest, and what was seen. */
export function unsettled(landscape: Landscape, stable: number | undefined, above: number | null): Answer {
  const list = landscape.tallies.filter(({ size, fails }) => fails > 0 || size === stable);
  const seen = list.map(({ size }) => `${size} stable in ${record(landscape, size)}`).join(', ');
  return {
    outcome: stable === undefined ? 'void' : 'found',
    stable: stable ?? 0,
    unstable: above,
    ...asides(landscape, stable ?? 0),
    because: `The trials went on contradicting each other: ${seen}.`,
    cutShort: true,
  };
}

/** Sizes that the limit does not rest on and that a reader must know of. */
export function asides(landscape: Landscape, stable: number): Pick<Answer, 'flaky' | 'failedBelow' | 'edge'> {
  const failedBelow = landscape.tallies.filter((tally) => tally.size < stable && !hasPassed(tally));
  const flaky = flakySizes(landscape);
  const edge = wideEdgeIn(landscape);
  return {
    flaky,
    ...(failedBelow.length === 0 ? {} : { failedBelow: failedBelow.map(({ size }) => size) }),
    ...(edge ? { edge } : {}),
  };
}

/** From the smallest size that failed to the largest that passed, where these are several sizes. */
function wideEdgeIn({ tallies, smallestFail: from, largestPass: upTo }: Landscape): WideEdge | undefined {
  if (from === null || upTo === null) return undefined;
  const between = tallies.filter(({ size }) => size >= from && size <= upTo);
  if (between.length < 2) return undefined;
  const passed = between.reduce((sum, { passes, screened }) => sum + passes + screened, 0);
  const of = between.reduce((sum, { fails }) => sum + fails, passed);
  const below = tallies.findLast(({ size }) => size < from)?.size;
  const above = tallies.find(({ size }) => size > upTo)?.size;
  return {
    ...(below === undefined ? {} : { alwaysUpTo: below }),
    between: { from, upTo, passed, of },
    ...(above === undefined ? {} : { neverFrom: above }),
  };
}

function asideWords(landscape: Landscape, stable: number): string {
  const { flaky, failedBelow = [] } = asides(landscape, stable);
  const others = flaky.filter((size) => size !== stable).map((size) => `${size} stable in ${record(landscape, size)}`);
  const failed = failedBelow.map(
    (size) => `${size} failed in ${tallyOf(landscape, size).fails} of ${tallyOf(landscape, size).fails}`,
  );
  return [
    others.length === 0 ? '' : ` Flaky: ${others.join(', ')}.`,
    failed.length === 0 ? '' : ` ${failed.join(', ')}, though larger sizes passed.`,
  ].join('');
}

function wallWords(options: SearchOptions, landscape: Landscape): string {
  const { ceiling } = landscape;
  if (!ceiling && options.strategy === 'fixed') return 'It is the largest of the list.';
  if (!ceiling) return `The search stops at ${options.max}, the largest size it may try.`;
  if (ceiling.cause === 'exhausted')
    return `At ${ceiling.size} the probes ran out, so nothing is ${ceiling.disturbed ? 'confirmed' : 'known'} of the server from there on.`;
  return `${unsureText(ceiling)}, so what lies from there on is unknown.`;
}

/** Of a ceiling that accidents made. */
export function unsureText({ size, disturbed, inARow }: Ceiling): string {
  return `The last ${inARow} trials with ${size} were ${disturbed ? 'void or disturbed' : 'void'}`;
}
