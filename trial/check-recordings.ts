import { join } from 'node:path';
import { summariseStreams } from '../analysis/measure/window.js';
import { isSending } from '../model/scenario.js';
import type { TrialState } from './trial-state.js';

const atLeastMs = 10_000;
/** A minute of 640x360 takes about a second to decode: a file that takes longer than this has hung the check. */
const perFileMs = 5000;

/** Nothing is measured any more, so looking at files disturbs nobody. */
export async function checkRecordings(state: TrialState): Promise<void> {
  const { plan } = state;
  const { parts, index } = state.setting;
  const { recordings } = parts.server;
  const senders = state.participants.filter(isSending);
  const asked = plan.record === true && recordings !== undefined;
  const boundMs = asked ? atLeastMs + perFileMs * senders.length : atLeastMs;
  await state.journal.phase('check-recordings', boundMs, async () => {
    if (!asked) return;
    const keep = plan.keepRecordings === true;
    const keepIn = join(parts.runDirectory, 'recordings', `trial-${index}`);
    const request = { sentFps: sentFps(state), ...(keep ? { keepIn } : {}) };
    state.findings.add({ recordings: await recordings.check(request, state.signal) });
  });
  state.goOn();
}

/** What left the encoder in the window. A file is longer than the window; its rate may not be much lower. */
function sentFps({ intake, participants, findings }: TrialState): ReadonlyMap<string, number> {
  const { window } = findings.now;
  const streams = window ? summariseStreams(intake.fold, participants, window) : [];
  return new Map(
    streams.flatMap(({ probe, direction, values: { fps } }) =>
      direction === 'send' && fps !== undefined ? [[probe, fps] as const] : [],
    ),
  );
}
