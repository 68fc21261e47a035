import { expect, test } from '@playwright/test';
import type { ServerEvent } from '../model/server-event.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { long } from '../tests/effort.js';
import { logged } from '../tests/logged-parts.js';
import { aMemorySink, aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { runTrial } from './run-trial.js';
import { ServerWatch } from './server-watch.js';

/** A trial of two calls that are well, on a server that says these things when measuring begins. */
async function heard(say: (tell: (event: ServerEvent) => void, atMs: number) => void) {
  const { signal } = new AbortController();
  const run = aSimulatedRun(
    {},
    {
      sinks: [aMemorySink()],
      listener: (event) => {
        if (event.type === 'phase' && event.phase === 'measure') say(told.say, run.parts.clock.nowMs());
      },
    },
  );
  const told = logged(run.parts);
  const { parts } = told;
  const plan = aPlan({}, { measureMs: 10_000, settleMs: 20_000 });
  const server = await parts.server.start(signal);
  const { record } = await runTrial(
    {
      run: { host: parts.host, server, plan },
      scenario: oneToOne,
      parts,
      watch: new ServerWatch(parts.server),
      index: 1,
      size: 2,
      why: 'grow',
      baseline: null,
    },
    signal,
  );
  return record;
}

/** So many events a second for ten seconds. */
const flood =
  (perSecond: number) =>
  (tell: (event: ServerEvent) => void, atMs: number): void => {
    for (let nth = 0; nth < 10 * perSecond; nth += 1) {
      tell({ kind: 'other', name: 'Noise', detail: `${nth}`, atMs: atMs + (1000 * nth) / perSecond });
    }
  };

test('a server that tells 5,000 events a second makes the trial unstable by that alone, and what was dropped is said', async () => {
  const { verdict, events } = await heard(flood(5000));
  expect(verdict.kind).toBe('unstable');
  expect(verdict.reasons).toEqual([
    {
      code: 'server-excess',
      text: 'The media server sent more than one that works: more than 2000 events in ten minutes; 48000 were dropped.',
    },
  ]);
  expect(events.filter(({ type }) => type === 'server').length).toBeLessThan(2100);
});

test('one that tells 20,000 a second is bounded alike', long, async () => {
  const { verdict, events } = await heard(flood(20_000));
  expect(verdict.reasons[0]?.text).toContain('198000 were dropped');
  expect(events.filter(({ type }) => type === 'server').length).toBeLessThan(2100);
});

test('a connection that was ended for a flood is the fault of the server, though it answers again at once', async () => {
  const { verdict } = await heard((tell, atMs) => {
    tell({ kind: 'excess', atMs, detail: 'more than 20000 messages in a second' });
    tell({ kind: 'lost', atMs, detail: 'ended from here' });
    tell({ kind: 'reconnected', atMs: atMs + 100, detail: 'the same session goes on' });
  });
  expect(verdict).toMatchObject({ kind: 'unstable', reasons: [{ code: 'server-excess' }] });
  expect(verdict.reasons[0]?.text).toContain('more than 20000 messages in a second');
});

test('what is too much by itself is bounded when it comes as a flood', async () => {
  const { verdict, events } = await heard((tell, atMs) => {
    for (let nth = 0; nth < 30_000; nth += 1) tell({ kind: 'excess', atMs, detail: 'JSON nested deeper than 64' });
  });
  expect(verdict.reasons.map(({ code }) => code)).toEqual(['server-excess', 'server-excess']);
  expect(events.filter(({ type }) => type === 'server').length).toBeLessThan(2100);
});

test('what a server says without excess fails no trial', async () => {
  const { verdict } = await heard(flood(100));
  expect(verdict).toMatchObject({ kind: 'stable', reasons: [] });
});
