import { expect, test } from '@playwright/test';
import type { Leg, Session } from '../model/scenario.js';
import { workerSurroundings } from '../probes/native/surroundings.js';
import { NativeLink } from '../rtp/native-link.js';
import { sfuGroup } from '../scenarios/group.js';
import { onConnections } from '../scenarios/on-connections.js';
import { JanusServer } from '../server-setup/janus/janus-server.js';
import { clipOfBytes } from './native-clip.js';
import { NativeMembers } from './native-members.js';
import { hasJanus, realJanus } from './real-janus.js';
import { soon } from './soon.js';

const { signal } = new AbortController();
const timeout = 15_000;

const withoutSource = (leg: Leg, id: string): Leg =>
  Array.isArray(leg.from) ? { ...leg, from: leg.from.filter(({ participant }) => participant !== id) } : leg;

test('native members of a room on a real Janus receive each other over one connection, as people come and leave', async () => {
  test.skip(!(await hasJanus()), 'no janus is installed (apt-get install janus)');
  const janus = await realJanus();
  const server = new JanusServer({ url: janus.url, maxVideoKbps: 200, videoCodec: 'vp8' });
  await server.start(signal);
  await NativeLink.prepare();
  const [room] = onConnections(sfuGroup(4), 'one').sessions(1) as [Session];
  const opened = await server.openSession(room, signal);
  const sending = { clips: [clipOfBytes([100, 190])], videoKbps: 200 };
  const surroundings = workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8', sending });
  const members = new NativeMembers(opened, surroundings, signal);
  try {
    const [, , third, fourth] = room.participants;
    if (!third || !fourth) throw new Error('the room has four members');
    for (const one of room.participants) if (one !== fourth) members.join(one);
    const first = members.all.get('1a')?.probe;
    const received = () =>
      (first?.sample(0)?.streams ?? []).flatMap((one) => {
        if (one.direction !== 'receive') return [];
        const { stream, kind, away, metrics } = one;
        const count = (kind === 'video' ? metrics.framesDecoded : metrics.packetsReceived) ?? 0;
        return `${kind} ${stream} ${away ? 'away' : count > 0 ? 'flows' : 'stands'}`;
      });
    const all = (state: Readonly<Record<string, string>>) =>
      ['1b', '1c', '1d'].flatMap((id) => ['audio', 'video'].map((kind) => `${kind} ${id} ${state[id] ?? 'flows'}`));
    await soon(received, { timeout }).toEqual(all({ '1d': 'stands' }));
    members.leave('1c');
    // No word of the others is in it: each stream has its own account.
    await soon(received, { timeout }).toEqual(all({ '1c': 'away', '1d': 'stands' }));
    await opened.leave?.(third.legs.map(({ id }) => id));
    // Janus puts a newcomer into the sections of who left.
    members.join({ ...fourth, legs: fourth.legs.map((leg) => withoutSource(leg, '1c')) });
    await soon(received, { timeout }).toEqual(all({ '1c': 'away' }));
    expect([...members.all.values()].flatMap(({ told }) => told.filter(({ call }) => call === 'failed'))).toEqual([]);
  } finally {
    members.close();
    await opened.close();
    await server.stop();
    await janus.close();
  }
});
