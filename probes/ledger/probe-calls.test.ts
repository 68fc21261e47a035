import { expect, test } from '@playwright/test';
import type { NegotiationRequest } from '../../model/signalling.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { ProbeCalls } from './probe-calls.js';
import { ProbeLedger } from './probe-ledger.js';

const nothing = () => undefined;

test('what the page of one who has left still asks reaches no media server', async () => {
  const participants = oneToOne.sessions(1).flatMap((session) => session.participants);
  const offered: string[] = [];
  const joining = {
    negotiate: async ({ participant, offer }: NegotiationRequest) => {
      offered.push(participant.id);
      return { answer: `answer to ${offer}`, addCandidate: async () => undefined };
    },
    signal: new AbortController().signal,
  };
  const ledger = new ProbeLedger(participants, [], nothing);
  const host = { event: nothing, samples: nothing, artifacts: nothing };
  const pages = { offerToPage: async () => null, toPage: nothing };
  const calls = new ProbeCalls({ participants, joining, ledger, host, hears: () => nothing }, pages);
  const ask = (id: string) => calls.answer({ call: 'negotiate', probe: id, leg: id, offer: 'v=0' });

  calls.forget('1a');

  expect([await ask('1a'), (await ask('1b'))?.ok]).toEqual([null, true]);
  expect(offered).toEqual(['1b']);
});
