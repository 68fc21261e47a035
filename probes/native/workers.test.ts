import { expect, test } from '@playwright/test';
import { probeKinds } from '../../model/probe-kinds.js';
import { layOutByNetwork } from '../layout.js';

const layOutWorkers = (participants: readonly { readonly network?: string }[], cores: number) => {
  const sharing = { probesPerPage: probeKinds.native.perProcess, pagesPerBrowser: 1, pagesMost: cores };
  const { places, browsers } = layOutByNetwork(participants, sharing);
  return places.map(({ browser }) => ({ worker: browser, network: browsers[browser]?.network }));
};

const many = (count: number, network?: string) => Array.from({ length: count }, () => (network ? { network } : {}));
const loads = (places: ReturnType<typeof layOutWorkers>) => {
  const counts = new Map<number, number>();
  for (const { worker } of places) counts.set(worker, (counts.get(worker) ?? 0) + 1);
  return [...counts.values()];
};

test('a hundred probes share a process, and more are dealt evenly to no more processes than there are cores', () => {
  expect(loads(layOutWorkers(many(100), 8))).toEqual([100]);
  expect(loads(layOutWorkers(many(250), 8))).toEqual([84, 83, 83]);
  expect(loads(layOutWorkers(many(1000), 2))).toEqual([500, 500]);
});

test('the probes of each network have processes of their own', () => {
  const places = layOutWorkers([...many(150), ...many(30, 'wifi'), ...many(120, '3g')], 2);
  const networks = new Map<number, Set<string | undefined>>();
  for (const { worker, network } of places) networks.set(worker, (networks.get(worker) ?? new Set()).add(network));
  expect([...networks.values()].map((one) => [...one])).toEqual([[undefined], [undefined], ['wifi'], ['3g'], ['3g']]);
});
