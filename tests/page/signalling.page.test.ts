import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect } from '@playwright/test';
import { judge } from '../../analysis/judge/judge.js';
import type { Sample } from '../../model/sample.js';
import type { Participant } from '../../model/scenario.js';
import { SessionBook } from '../../trial/session-book.js';
import { aTrial } from '../builders/trial-builder.js';
import { long } from '../effort.js';
import { failureCodes, participant, pause, test } from '../fleet-stage.js';
import { soon } from '../soon.js';
import { type ToyWays, toyServer } from '../toy-server/kind.js';

const from = ['left', 'right'].map((id) => ({ participant: id, kinds: ['video'] }) as const);
const watcher = participant('1a', { sends: ['video'], receives: ['video'], from });

function bookOf(participants: readonly Participant[], ways: ToyWays): SessionBook {
  const server = toyServer('toy://here', () => false, ways);
  const session = { id: participants[0]?.session ?? '', shape: 'forward', participants } as const;
  return new SessionBook(server, [session], new AbortController().signal);
}

const streamsOf = (sample: Sample | undefined) =>
  (sample?.streams ?? []).flatMap((stream) => (stream.direction === 'receive' ? [stream] : []));
const framesOf = (sample: Sample | undefined) =>
  streamsOf(sample).map(({ stream, metrics }) => [stream, (metrics.framesDecoded ?? 0) > 0]);
const both = [
  ['left', true],
  ['right', true],
];

const ways: Readonly<Record<string, ToyWays>> = {
  'the probe offers and trickles its candidates': { offeredBy: 'probe', candidates: 'trickled' },
  'the probe offers with all candidates in one message': { offeredBy: 'probe', candidates: 'in-one-message' },
  'the server offers and the probe answers with all candidates in one message': { candidates: 'in-one-message' },
};

for (const [what, way] of Object.entries(ways)) {
  test(`${what}: both streams of the connection arrive`, async ({ probes }) => {
    const heard: string[] = [];
    const onHeard: ToyWays['onHeard'] = (kind, text) => heard.push(kind === 'candidate' ? kind : text);
    const book = bookOf([watcher], { ...way, onHeard });
    await probes.withFleet({}, async ({ fleet, join, samples }) => {
      await join([watcher], book.negotiate, 15_000, book.begin);
      expect(failureCodes(fleet)).toEqual({ '1a': [] });
      await soon(() => framesOf(samples.at(-1)), { timeout: 5000 }).toEqual(both);
      const [description = '', ...candidates] = heard;
      expect(/^a=candidate:/m.test(description)).toBe(way.candidates === 'in-one-message');
      expect(candidates.length > 0).toBe(way.candidates === 'trickled');
    });
    await book.close();
  });
}

test('ICE servers that come with the answer are asked, and candidates go to the server after it', async ({
  probes,
}) => {
  const stun = createSocket('udp4');
  let asked = 0;
  // Binding request, RFC 8489 5: never answered, so that nothing but the asking is seen.
  stun.on('message', (message) => {
    if (message.readUInt16BE(0) === 1) asked += 1;
  });
  stun.bind(0, '127.0.0.1');
  await once(stun, 'listening');
  const heard: string[] = [];
  const book = bookOf([watcher], {
    offeredBy: 'probe',
    candidates: 'after-the-answer',
    iceServers: [{ urls: [`stun:127.0.0.1:${stun.address().port}`] }],
    onHeard: (kind, text) => heard.push(kind === 'candidate' ? kind : text),
  });
  try {
    await probes.withFleet({}, async ({ fleet, join, samples }) => {
      await join([watcher], book.negotiate, 15_000, book.begin);
      expect(failureCodes(fleet)).toEqual({ '1a': [] });
      await soon(() => framesOf(samples.at(-1)), { timeout: 5000 }).toEqual(both);
      expect(heard[0]).not.toMatch(/^a=candidate:/m);
      expect(heard.slice(1)).toContain('candidate');
      expect(asked).toBeGreaterThan(0);
    });
  } finally {
    stun.close();
    await book.close();
  }
});

for (const encoded of [false, true]) {
  test(
    `a source more and a source less on one connection: what left is not missed, and what came is judged, with ${encoded ? 'encoded' : 'full'} probes`,
    long,
    async ({ probes }) => {
      // The clip of encoded probes is encoded first, which takes as long as the machine is busy.
      if (encoded) test.setTimeout(180_000);
      let again: (streams: readonly string[]) => Promise<void> = () => Promise.reject(new Error('no leg yet'));
      let begun = false;
      const onLeg: ToyWays['onLeg'] = (_, offerAgain) => {
        again = offerAgain;
        begun = true;
      };
      const book = bookOf([watcher], { first: ['left'], onLeg });
      const options = encoded ? { encoded: { fullShare: 0 } } : {};
      await probes.withFleet(options, async ({ fleet, join, samples, events }) => {
        const joining = join([watcher], book.negotiate, 20_000, book.begin);
        await soon(() => begun, { timeout: encoded ? 120_000 : 15_000 }).toBe(true);
        await soon(() => framesOf(samples.at(-1))[0], { timeout: 15_000 }).toEqual(['left', true]);
        expect(fleet.records().map(({ up }) => up)).toEqual([false]);
        await again(['left', 'right']);
        await joining;
        expect(failureCodes(fleet)).toEqual({ '1a': [] });
        const startMs = Date.now();
        await soon(() => framesOf(samples.at(-1)), { timeout: 5000 }).toEqual(both);
        await again(['left']);
        await pause(3500);
        expect(streamsOf(samples.at(-1)).map(({ stream, away }) => [stream, away])).toEqual([
          ['left', undefined],
          ['right', true],
        ]);
        await again(['left', 'right']);
        await soon(() => framesOf(samples.at(-1)), { timeout: 6000 }).toEqual(both);
        await pause(1500);
        const trial = aTrial([], { baseline: null, window: { startMs, endMs: Date.now() } });
        const input = { ...trial, probesAsked: 1, probes: fleet.records(), samples };
        expect(judge(input).reasons.filter(({ code }) => code === 'no-media')).toEqual([]);
        expect(failureCodes(fleet)).toEqual({ '1a': [] });
        const told = events.flatMap((event) => (event.type === 'warning' ? event.text : []));
        expect(told).toEqual(['The server said that right had left 1a (leg 1a): not judged until it is back.']);
      });
      await book.close();
    },
  );
}

test('a leg that receives waits until its source sends, and not longer than its probe has time', async ({ probes }) => {
  const legOf = (id: string, source: string): Participant => ({
    id,
    session: '1',
    role: 'caller',
    legs: [{ id, sends: ['video'], receives: ['video'], from: { participant: source } }],
  });
  // The toy of this session offers to the one at once, and to the other when the first sends.
  const first = legOf('1a', 'nobody');
  const second = legOf('1b', '1a');
  const book = bookOf([first, second], { waits: true });
  const alone = bookOf([legOf('1c', '1d'), legOf('1d', '1c')], { waits: true });
  await probes.withFleet({}, async ({ fleet, join }) => {
    await join([second, first], book.negotiate, 15_000, book.begin);
    expect(failureCodes(fleet)).toEqual({ '1a': [], '1b': [] });
  });
  await probes.withFleet({}, async ({ fleet, join }) => {
    await join([legOf('1c', '1d')], alone.negotiate, 3000, alone.begin);
    expect(failureCodes(fleet)).toEqual({ '1c': ['signalling-timeout'] });
  });
  await Promise.all([book.close(), alone.close()]);
});
