import { expect, test } from '@playwright/test';
import { mediaSchema } from '../../model/plan.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { orderedPart } from './join-order.js';
import { orderEnvelope } from './wire.js';

test('a host takes orders of a run whose participants are mute, without cameras or in layers', () => {
  const simulcast = { rids: ['l', 'm', 'h'], asked: 'low' } as const;
  const left = { audioOnly: true, cameraOff: 0.5, muted: 0.5, screen: true, speech: 'p59', answerAfterMs: 300 };
  const media = mediaSchema.parse({ ...left, simulcast, drawnMarks: true, see: 2 });
  const [session] = oneToOne.sessions(1);
  const part = orderedPart(
    session?.participants ?? [],
    { chromiumPath: '', media, probesPerPage: 4, pagesPerBrowser: 4 },
    new Map(),
  );
  const times = { starts: {}, pacePerSecond: 4, deadlineMs: 1000 };
  const order = { do: 'join', trial: 't', host: 'h', ownClock: 7, ...part, ...times };
  expect(orderEnvelope.safeParse({ id: 'a', lease: 'b', order }).error?.issues ?? []).toEqual([]);
});
