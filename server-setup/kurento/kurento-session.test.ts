import { expect, test } from '@playwright/test';
import type { Session } from '../../model/scenario.js';
import type { KurentoCalls } from './kurento-calls.js';
import { KurentoSession } from './kurento-session.js';

test('a session with several streams of a kind on a leg is refused by name, before anything is made on the server', async () => {
  const from = ['1b', '1c'].map((participant) => ({ participant, kinds: ['video'] }) as const);
  const legs = [{ id: '1a', sends: [], receives: ['video'], from }] as const;
  const participants = [{ id: '1a', session: '1', role: 'viewer', legs }];
  const session: Session = { id: '1', shape: 'forward', participants };
  const made: string[] = [];
  const calls = {
    create: async (type: string) => {
      made.push(type);
      return 'pipeline';
    },
  } as unknown as KurentoCalls;
  const ignored = () => undefined;
  const options = { session, calls, tag: 'ours', onEvent: ignored, onCreated: ignored, onClosed: ignored };
  const opening = KurentoSession.open(options, new AbortController().signal);
  await expect(opening).rejects.toMatchObject({
    code: 'E_SERVER_REFUSED',
    message: 'Session 1 cannot be opened: leg 1a receives several streams.',
    where: '1a',
  });
  expect(made).toEqual([]);
});
