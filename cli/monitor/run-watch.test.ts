import { expect, test } from '@playwright/test';
import type { Players } from '../../model/players.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { questionOf } from './run-watch.js';

test('what looking at a room saw beside what must arrive asks nothing else', () => {
  const { plan } = aRun([], { outcome: 'found', stable: 2 }).manifest;
  const expected = { role: 'member', sends: ['audio' as const], audio: 1, video: 0 };
  const asked = (players: Players) => questionOf({ ...plan, players }, true);
  const one = asked({ kind: 'visiting', expect: [{ ...expected, connections: 1 }] });
  expect(asked({ kind: 'visiting', expect: [{ ...expected, connections: 2 }], stillChanges: true })).toBe(one);
  expect(asked({ kind: 'visiting', expect: [{ ...expected, audio: 2 }] })).not.toBe(one);
});
