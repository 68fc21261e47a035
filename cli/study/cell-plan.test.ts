import { expect, test } from '@playwright/test';
import { argumentsOf, assertPossible, type CellPlan } from './cell-plan.js';

const cell: CellPlan = {
  cell: { id: 'a+one-to-one', server: 'a', scenario: 'one-to-one' },
  server: { name: 'a', plan: {} },
  plan: {},
  joins: {},
};

test('a run at a share of the limit is of a size near that share, or is not made', () => {
  const made = (part: 'at-50' | 'at-80', limit: number) => {
    try {
      assertPossible(part, cell, limit);
    } catch {
      return undefined;
    }
    const args = argumentsOf(cell, 'a.json', { part, limit, round: 1, seed: 1, out: 'runs', labels: [] });
    return Number(args[args.indexOf('--size') + 1]);
  };
  const limits = Array.from({ length: 60 }, (_, nth) => nth + 1);
  for (const [part, percent] of [['at-50', 50] as const, ['at-80', 80] as const])
    for (const limit of limits) {
      const size = made(part, limit);
      if (size !== undefined) expect(Math.abs((100 * size) / limit - percent), `${size} of ${limit}`).toBeLessThan(11);
      else expect(limit).toBeLessThan(4);
    }
  expect([made('at-50', 2), made('at-80', 2), made('at-80', 6)]).toEqual([1, undefined, 5]);
});

test('a server that the study holds to cores or memory is named to its runs, unless its plan names it', () => {
  const pidOf = (server: object, plan: object) => {
    const held = { ...cell, server: { ...cell.server, ...server }, plan: { server: 'whip', ...plan } };
    const at = { part: 'limit' as const, limit: 0, round: 1, seed: 1, out: 'runs', labels: [], serverPid: 4711 };
    const args = argumentsOf(held, 'a.json', at);
    return args.includes('--server-pid') ? args[args.indexOf('--server-pid') + 1] : undefined;
  };
  expect(pidOf({ cores: 1 }, {})).toBe('4711');
  expect(pidOf({ memoryBytes: 1e9 }, {})).toBe('4711');
  expect(pidOf({}, {})).toBeUndefined();
  expect(pidOf({ cores: 1 }, { serverPid: 'port:8088' })).toBeUndefined();
  expect(pidOf({ cores: 1 }, { server: undefined })).toBeUndefined();
});
