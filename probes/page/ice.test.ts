import { expect, test } from '@playwright/test';
import { gathered } from './ice.js';

type Gathering = Parameters<typeof gathered>[0];

/** A connection that looks for candidates, as far as it shows. */
function gathering() {
  const events = new EventTarget();
  const state = { now: 'gathering' as RTCIceGatheringState };
  const connection = {
    get iceGatheringState() {
      return state.now;
    },
    addEventListener: (name: string, listener: EventListener) => events.addEventListener(name, listener),
  } as unknown as Gathering;
  const found = (candidate: string) =>
    events.dispatchEvent(Object.assign(new Event('icecandidate'), { candidate: { candidate } }));
  const complete = () => {
    state.now = 'complete';
    events.dispatchEvent(new Event('icegatheringstatechange'));
  };
  return { connection, found, complete };
}

const stateOf = (work: Promise<void>) => Promise.race([work.then(() => 'over'), Promise.resolve('waiting')]);

test('candidates are all there when the browser says so', async () => {
  const { connection, found, complete } = gathering();
  const done = gathered(connection, 60_000);
  found('candidate:1');
  expect(await stateOf(done)).toBe('waiting');
  complete();
  await done;
});

test('an ICE server that never answers is not waited for, once there is a candidate', async () => {
  const { connection, found } = gathering();
  const done = gathered(connection, 1);
  found('');
  expect(await stateOf(done)).toBe('waiting');
  found('candidate:1');
  await done;
});
