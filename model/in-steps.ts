/**
 * Work over everything in a trial, in steps: between two of them whoever drives it may let others go on. What it gives
 * at its end does not depend on who drives it.
 */
export type InSteps<Result> = Generator<undefined, Result, undefined>;

/** So many participants, or streams, are looked at in one step: a few milliseconds. Smaller trials are one step. */
export const mostInStep = 250;

/** All of it now. */
export function atOnce<Result>(work: InSteps<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** With a pause after each step. */
export async function withPauses<Result>(work: InSteps<Result>, pause: () => Promise<void>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await pause();
  }
}
