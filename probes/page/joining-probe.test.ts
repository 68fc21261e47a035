import { expect, test } from '@playwright/test';
import type { Leg } from '../../model/scenario.js';
import type { ServerOffer } from '../../model/signalling.js';
import { type JoiningPeer, JoiningProbe } from './joining-probe.js';
import type { HostCall, HostFunction, HostReply } from './wire.js';

class ScriptedPeer implements JoiningPeer {
  readonly first = { by: 'probe' } as const;
  readonly rateControl = undefined;
  readonly did: string[] = [];
  state = 'new';

  constructor(readonly leg: Leg) {}

  get now(): JoiningPeer['now'] {
    const { leg, state } = this;
    return { leg, iceState: state, connectionState: state, description: '', streamOfMid: new Map(), away: new Set() };
  }
  begin() {}
  offer() {
    return 'own offer';
  }
  async answer(sdp: string) {
    if (sdp === 'nonsense') throw new Error('it cannot be read');
    this.did.push(sdp);
  }
  answerTo({ offer }: ServerOffer) {
    this.did.push(offer);
    return `answer to ${offer}`;
  }
  addCandidate() {
    throw new Error('no candidate');
  }
  stats() {
    return new Map();
  }
  async offerRestart() {
    return '';
  }
  async acceptRestart() {}
  async takeBack() {}
  close() {
    this.did.push('closed');
  }
}

class ScriptedProbe extends JoiningProbe<ScriptedPeer> {
  protected readonly place = 'probe';
  readonly peers = ['a', 'b'].map(
    (id) => new ScriptedPeer({ id, sends: [], receives: [], from: { participant: 'x' } }),
  );

  become(state: string, ...peers: readonly (ScriptedPeer | undefined)[]): void {
    for (const peer of peers) if (peer) peer.state = state;
    this.progress();
    if (state === 'failed') this.notConnected('a', ' (no key)');
  }
}

function joining(deadlineMs = 60_000) {
  const told: HostCall[] = [];
  const answers = new Map<string, (reply: HostReply) => void>();
  const host: HostFunction = (call) => {
    if (call.call === 'begin') return Promise.resolve({ ok: true, first: { by: 'probe' } });
    if (call.call === 'negotiate') return new Promise((resolve) => answers.set(call.leg, resolve));
    told.push(call);
    return Promise.resolve(null);
  };
  const legs = ['a', 'b'].map((id): Leg => ({ id, sends: [], receives: [], from: { participant: 'x' } }));
  const participant = { id: '1a', session: '1', role: 'member', legs };
  const probe = new ScriptedProbe({ participant, deadlineMs }, host, () => 1000);
  const failures = () => told.flatMap((call) => (call.call === 'failed' ? call.failure : []));
  const reached = () => told.flatMap((call) => (call.call === 'reached' ? [Object.keys(call.join)] : []));
  const answered = (leg: string, answer: string) => answers.get(leg)?.({ ok: true, answer });
  return { probe, peers: probe.peers, answers, answered, failures, reached };
}

test('a milestone is reached when all connections have, once, and told with those before it', async () => {
  const { probe, peers, answers, answered, reached } = joining();
  const started = probe.start();
  await expect.poll(() => answers.size).toBe(2);
  answered('a', 'answer');
  answered('b', 'answer');
  await started;
  probe.become('ice-connected', peers[0]);
  expect(reached()).toEqual([['answerMs']]);
  probe.become('ice-connected', peers[1]);
  probe.become('connected', ...peers);
  probe.become('connected', ...peers);
  probe.leave();
  expect(reached().at(-1)).toEqual(['answerMs', 'iceConnectedMs', 'dtlsConnectedMs']);
  expect(reached()).toHaveLength(3);
  expect(peers.map(({ did }) => did)).toEqual([
    ['answer', 'closed'],
    ['answer', 'closed'],
  ]);
});

test("an offer of the server waits until the probe's own is answered", async () => {
  const { probe, peers, answers, answered } = joining();
  void probe.start();
  await expect.poll(() => answers.size).toBe(2);
  const further = probe.renegotiate('a', { offer: 'further offer' });
  expect(await probe.renegotiate('c', { offer: 'of no leg' })).toBeNull();
  expect(peers[0]?.did).toEqual([]);
  answered('a', 'answer');
  expect(await further).toBe('answer to further offer');
  expect(peers[0]?.did).toEqual(['answer', 'further offer']);
  probe.leave();
});

test('the first failure alone is told, and nothing after it was left', async () => {
  const { probe, peers, answers, answered, failures } = joining();
  void probe.start();
  await expect.poll(() => answers.size).toBe(2);
  answered('a', 'nonsense');
  await expect.poll(failures).toHaveLength(1);
  probe.become('failed', ...peers);
  await probe.addCandidate('a', { candidate: '', sdpMid: '0', sdpMLineIndex: 0 });
  expect(failures()).toEqual([{ code: 'signalling-unusable', detail: 'Error: it cannot be read', atMs: 1000 }]);
  const left = joining();
  left.probe.leave();
  left.probe.become('failed', ...left.peers);
  expect(left.failures()).toEqual([]);
});

test('a connection that fails says which step it was at, and one out of time the first that it did not reach', async () => {
  const { probe, peers, failures } = joining();
  probe.become('ice-connected', ...peers);
  probe.become('failed', peers[0]);
  expect(failures()).toMatchObject([
    { code: 'dtls-timeout', detail: expect.stringMatching(/^DTLS failed after .* on leg a \(no key\)$/) },
  ]);
  const late = joining(0);
  void late.probe.start();
  await expect.poll(late.failures).toMatchObject([{ code: 'signalling-timeout' }]);
  late.probe.leave();
});
