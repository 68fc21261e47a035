import { expect, test } from '@playwright/test';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { ProbeLedger } from '../ledger/probe-ledger.js';
import { RoomJoins } from './room-joins.js';

test('the wait for a first frame begins when the last of the others was connected, whoever is told of last', () => {
  const participants = ['1a', '1b', '1c'].map((id) => aProbe(id).participant());
  const ledger = new ProbeLedger(participants, [], () => undefined);
  const joins = new RoomJoins({ participants, ledger, hears: () => () => undefined }, () => 1000);
  const [, second, third] = participants;
  if (!second || !third) throw new Error('no such participants');
  joins.reached(second, { iceConnectedMs: 300 });
  joins.reached(second, { iceConnectedMs: 300, dtlsConnectedMs: 5000 });
  joins.reached(third, { iceConnectedMs: 200, dtlsConnectedMs: 400 });
  expect(ledger.records()[0]?.join.sourcesStartedMs).toBe(5000);
});
