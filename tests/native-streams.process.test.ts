import { expect, test } from '@playwright/test';
import { planSchema } from '../model/plan.js';
import type { Session } from '../model/scenario.js';
import { workerSurroundings } from '../probes/native/surroundings.js';
import { NativeLink } from '../rtp/native-link.js';
import { broadcast } from '../scenarios/broadcast.js';
import { antMediaKind } from '../server-setup/antmedia/kind.js';
import { ovenMediaKind } from '../server-setup/ovenmedia/kind.js';
import { clipOfBytes } from './native-clip.js';
import { NativeMembers } from './native-members.js';
import { soon } from './soon.js';
import { antServer } from './stream-servers/ant-server.js';
import { ovenServer } from './stream-servers/oven-server.js';
import { realMedia } from './stream-servers/stream-media.js';

const { signal } = new AbortController();
const timeout = 15_000;

for (const [kind, start, application] of [
  [ovenMediaKind, ovenServer, 'app'],
  [antMediaKind, antServer, 'live'],
] as const) {
  test(`native probes publish to ${kind.inWords} and view what was published, and end it`, async () => {
    const far = await start({ media: realMedia() });
    const url = `${kind.name}://127.0.0.1:${far.port}/${application}`;
    const named = { kind: kind.name, url };
    const plan = planSchema.parse({ scenario: 'broadcast', server: named });
    const server = await kind.make({ plan, server: named, selfCommand: [] });
    await server.start(signal);
    await NativeLink.prepare();
    const opened = await server.openSession(broadcast.sessions(2)[0] as Session, signal);
    const sending = { clips: [clipOfBytes([100, 190])], videoKbps: 200 };
    const surroundings = workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8', sending });
    const members = new NativeMembers(opened, surroundings, signal);
    try {
      const [publisher, ...viewers] = broadcast.sessions(2)[0]?.participants ?? [];
      if (publisher) members.join(publisher);
      await soon(() => members.all.get(publisher?.id ?? '')?.told.map(({ call }) => call), { timeout }).toContain('up');
      for (const viewer of viewers) members.join(viewer);
      const received = () =>
        viewers.map(({ id }) =>
          (members.all.get(id)?.probe.sample(0)?.streams ?? []).map((one) => {
            if (one.direction !== 'receive') return one.direction;
            const { kind: of, metrics } = one;
            return `${of} ${(of === 'video' ? metrics.framesDecoded : metrics.packetsReceived) ? 'flows' : 'stands'}`;
          }),
        );
      await soon(received, { timeout }).toEqual(viewers.map(() => ['audio flows', 'video flows']));
      expect([...members.all.values()].flatMap(({ told }) => told.filter(({ call }) => call === 'failed'))).toEqual([]);
      members.close();
      await opened.close();
      expect(far.media.streams.size).toBe(0);
      expect((await server.reset(signal)).byClosing).toBeUndefined();
    } finally {
      members.close();
      await opened.close();
      await server.stop();
      await far.close();
    }
  });
}
