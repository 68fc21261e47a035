import { expect, test } from '@playwright/test';
import type { Participant } from '../../model/scenario.js';
import type { JoinTimes } from '../../model/trial.js';
import { VisitingProbe } from './visiting-probe.js';

const participant: Participant = {
  id: '1a',
  session: '1',
  role: 'member',
  legs: [{ id: '1a', sends: [], receives: ['video'] }],
};

test('a clock that was set since the process began is no part of the time to join', async () => {
  const wallClock = Date.now;
  const reached: JoinTimes[] = [];
  const nothing = () => undefined;
  const probe = new VisitingProbe(participant, {
    ...{ onRoutes: nothing, onUp: nothing, onFailed: nothing, onSample: nothing, onArtifacts: nothing },
    onReached: (join) => reached.push(join),
  });
  const page = {
    join: async () => undefined,
    isUp: async () => undefined,
    whereabouts: async () => '',
    keep: async () => ({ probe: '1a', atMs: 0, texts: [] }),
  };
  try {
    Date.now = () => wallClock() + 3_600_000;
    const script = { join: nothing, lineOf: nothing, unset: () => [] };
    const visit = {
      ...participant,
      participant: '1a',
      index: 0,
      env: {},
      user: {},
      signal: new AbortController().signal,
    };
    const order = { address: '', script, deadlineMs: 60_000, visit: { ...visit, mark: nothing, metric: nothing } };
    const beganMs = Date.now();
    await probe.start(page, order);
    probe.take({
      ...{ frame: 'top', isTop: true, dueMs: 0, lateMs: 0, atMs: beganMs + 500, isWhole: false, unspared: [] },
      connections: [
        {
          ...{ id: '1', connectionState: 'connected', iceState: 'connected', dtlsConnectedMs: beganMs + 400 },
          leg: { leg: '1', connectionState: 'connected' },
          streams: [{ direction: 'receive', kind: 'video', mid: '0', arrived: true, wanted: true }],
        },
      ],
    });
  } finally {
    Date.now = wallClock;
    probe.leave();
  }
  const [{ dtlsConnectedMs = 0, firstFrameMs = Number.NaN } = {}] = reached;
  expect(dtlsConnectedMs).toBeGreaterThan(300);
  expect(dtlsConnectedMs).toBeLessThanOrEqual(400);
  expect(firstFrameMs).toBeLessThan(60_000);
});
