import { expect, test } from '@playwright/test';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import { NativeLink } from '../../rtp/native-link.js';
import { nativeCall } from '../../tests/embedded/native-call.js';
import { TestClient } from '../../tests/embedded/test-client.js';
import { soon } from '../../tests/soon.js';
import { conversationOf } from './conversation.js';
import { LegMarks } from './leg-marks.js';

const pauseMs = 300;

test('who asks is answered by an agent of ours after its pause, through a server', async () => {
  const server = await startEmbeddedServer({ port: 0 });
  const client = await TestClient.open(server.url);
  await NativeLink.prepare();
  const peers = await nativeCall(client, (leg) => {
    const part = leg.id === '1a' ? 'asks' : 'answers';
    return new LegMarks(leg.id, leg, conversationOf(leg.id, { part, pauseMs }));
  });
  try {
    const [asker, agent] = peers.map(({ marks }) => marks);
    let seen: ReturnType<LegMarks['take']>['turns'];
    const ended = () => {
      seen = asker?.take().turns;
      return seen?.questions ?? 0;
    };
    await soon(ended, { timeout: 20_000 }).toBe(1);
    expect(seen).toMatchObject({ unansweredQuestions: 0, interruptedQuestions: 0 });
    // Never sooner than it pauses; how much later is the way there and back.
    expect(seen?.answerMs).toBeGreaterThanOrEqual(pauseMs);
    expect(agent?.take().turns).toBeUndefined();
  } finally {
    for (const peer of peers) peer.close();
    client.close();
    await server.close();
  }
});
