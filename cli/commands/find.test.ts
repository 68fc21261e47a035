import { expect, test } from '@playwright/test';
import { planSchema } from '../../model/plan.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { clusterKind } from '../../server-setup/cluster/cluster-kind.js';
import { embeddedKind } from '../../server-setup/embedded/kind.js';
import { fakeProcess } from '../../tests/cli/fake-process.js';
import { interruptedCode } from '../exit-codes.js';
import type { RunRequest } from '../options/run-request.js';
import { measuredEach } from './find.js';

const embedded = { kind: 'embedded' };
const cluster = {
  kind: 'cluster' as const,
  placement: 'weight' as const,
  members: [
    { name: 'A', server: embedded },
    { name: 'B', server: embedded, alone: { stable: 7, unstable: 8, run: 'stored' } },
    { name: 'C', server: embedded },
  ],
};
const request: RunRequest = {
  scenario: oneToOne,
  plan: planSchema.parse({ scenario: 'one-to-one', server: cluster }),
  kind: clusterKind(embeddedKind, cluster),
  memberKind: embeddedKind,
  chromium: undefined,
  out: 'runs',
  format: 'json',
};

test('each server that no run tells is searched alone; what all hold is their weight, and what is not known is none', async () => {
  const searched: string[] = [];
  const tool = fakeProcess({ args: [] });
  const found = await measuredEach(request, tool, async ({ name }) => {
    searched.push(name);
    return { stable: 3, unstable: 4, run: `runs/${name}` };
  });
  expect(searched).toEqual(['A', 'C']);
  expect(typeof found === 'number' ? found : found.plan.server).toMatchObject({
    members: [{ alone: { stable: 3, run: 'runs/A' } }, { alone: { stable: 7 } }, { alone: { stable: 3 } }],
  });
  const planned = typeof found === 'number' ? '' : found.kind?.planned(embedded);
  expect(planned).toContain('weight 7');
  const unknown = await measuredEach(request, tool, async () => undefined);
  const members =
    typeof unknown === 'number' || unknown.plan.server.kind !== 'cluster' ? [] : unknown.plan.server.members;
  expect(JSON.stringify(members)).not.toContain('runs/');
  expect(tool.written.stdout()).toBe('');
});

test('a search that is interrupted ends the whole, and one server has nothing to be compared with', async () => {
  const tool = fakeProcess({ args: [] });
  expect(await measuredEach(request, tool, async () => 'interrupted')).toBe(interruptedCode);
  const alone = { ...request, plan: planSchema.parse({ scenario: 'one-to-one', server: embedded }) };
  await expect(measuredEach(alone, tool)).rejects.toThrow('--each is for several servers');
});
