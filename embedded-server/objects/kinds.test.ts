import { expect, test } from '@playwright/test';
import { wellBehaved } from '../imitation.js';
import { MediaPipeline } from './kinds.js';
import type { ServerContext } from './media-object.js';

/** What a pipeline touches of a server; the shares by which it shrinks the line are kept. */
function leakingContext(leakShare: number) {
  const shrunk: number[] = [];
  const context = {
    clock: { nowMs: () => 0 },
    egress: { shrink: (share: number) => shrunk.push(share) },
    imitation: { ...wellBehaved, leakShare },
  };
  return { shrunk, context: context as unknown as ServerContext };
}

test('each session that is opened takes its share of the line, and gives nothing back when it is over', async () => {
  const { shrunk, context } = leakingContext(0.1);
  const first = new MediaPipeline(context);
  await first.dispose();
  new MediaPipeline(context);
  expect(shrunk).toEqual([0.1, 0.1]);
});
