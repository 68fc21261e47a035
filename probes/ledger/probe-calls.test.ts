import { expect, test } from '@playwright/test';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { ProbeCalls } from './probe-calls.js';
import { ProbeLedger } from './probe-ledger.js';

const nothing = () => undefined;

test('what the page of one who has left still asks reaches no media server', async () => {
  const participants = oneToOne.sessions(1).flatMap((session) => session.participants);
  const offered: string[] = [];
  const calls = new ProbeCalls(participants, {
    ledger: new ProbeLedger(participants, [], nothing),
    negotiate: async ({ participant, offer }) => {
      offered.push(participant.id);
      return { answer: `answer to ${offer}`, addCandidate: async () => undefined };
    },
    ...{ signal: new AbortController().signal, offerToPage: async () => null },
    ...{ toPage: nothing, onEvent: nothing, onSamples: nothing, onArtifacts: nothing },
  });
  const ask = (id: string) => calls.answer({ call: 'negotiate', probe: id, leg: id, offer: 'v=0' });

  calls.forget('1a');

  expect([await ask('1a'), (await ask('1b'))?.ok]).toEqual([null, true]);
  expect(offered).toEqual(['1b']);
});
