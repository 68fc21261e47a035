import { expect, test } from '@playwright/test';
import { workerSurroundings } from '../probes/native/surroundings.js';
import { NativeLink } from '../rtp/native-link.js';

import { clipOfBytes } from './native-clip.js';
import { NativeMembers } from './native-members.js';
import type { WhipScript } from './scripted-whip.js';
import { soon } from './soon.js';
import { closeAll, publisher, started } from './whip-stage.js';

test.afterEach(closeAll);

/** What an end that takes all of an offer says, with these candidates and no other to come. */
const answerTo = (offer: string, candidate: string): string =>
  offer
    .replace(/^a=(candidate|end-of-candidates).*\r\n/gm, '')
    .replaceAll('a=setup:actpass', 'a=setup:passive')
    .replaceAll('a=sendonly', 'a=recvonly')
    .replace(/^a=mid:.*\r\n/m, (mid) => `${mid}a=candidate:1 1 ${candidate}\r\na=end-of-candidates\r\n`);

for (const [kind, candidate] of [
  ['TCP', 'tcp 1671430143 192.0.2.7 8189 typ host tcptype passive'],
  ['IPv6', 'udp 2130706431 2001:db8::7 8189 typ host'],
] as const) {
  test(`a native publisher to whom a server names candidates of ${kind} alone says so at once`, async () => {
    await NativeLink.prepare();
    const script: WhipScript = ({ method, body }) =>
      method === 'POST' ? { status: 201, headers: { location: '/s/1' }, text: answerTo(body, candidate) } : undefined;
    const { opened } = await started(script);
    const sending = { clips: [clipOfBytes([100, 250, 477, 500])], videoKbps: 500, lightVoice: true } as const;
    const surroundings = workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8', sending });
    const members = new NativeMembers(opened, surroundings, new AbortController().signal);
    const { told } = members.join(publisher);
    await soon(() => told.flatMap((call) => (call.call === 'failed' ? [call.failure] : []))).toEqual([
      {
        code: 'candidates-unusable',
        atMs: expect.any(Number),
        detail: `native probes connect over UDP and IPv4 alone, and all candidates of the server are of ${kind}: use --media full`,
      },
    ]);
    members.close();
  });
}
