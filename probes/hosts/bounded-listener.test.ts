import { expect, test } from '@playwright/test';
import type { ProbeArtifacts } from '../../model/artifacts.js';
import type { FleetEvent } from '../../model/trial.js';
import { boundedListener } from './bounded-listener.js';

test('a host that tells without end is lost, and of what it kept of failed probes no more is taken than of one host', () => {
  const heard: FleetEvent[] = [];
  const kept: ProbeArtifacts[] = [];
  const losses: string[] = [];
  const listener = boundedListener(
    { onSamples: () => undefined, onEvent: (event) => heard.push(event), onArtifacts: (one) => kept.push(one) },
    2,
    (why) => {
      losses.push(why);
      listener.onEvent({ type: 'host-lost', atMs: 1, host: 'h', probes: ['a', 'b'], detail: why });
    },
  );
  for (let nth = 0; nth < 2_401; nth += 1) listener.onEvent({ type: 'warning', atMs: 1, host: 'h', text: 'x' });
  for (let nth = 0; nth < 100; nth += 1) listener.onArtifacts?.({ probe: 'a', atMs: 1, texts: [] });
  expect([heard.length, heard.at(-1)?.type, losses.length, kept.length]).toEqual([2_401, 'host-lost', 1, 8]);
});
