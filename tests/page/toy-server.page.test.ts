import { expect } from '@playwright/test';
import { judge } from '../../analysis/judge/judge.js';
import { SessionBook } from '../../trial/session-book.js';
import { aTrial } from '../builders/trial-builder.js';
import { long } from '../effort.js';
import { failureCodes, participant, pause, test } from '../fleet-stage.js';
import { toyServer } from '../toy-server/kind.js';

const measuredMs = 8000;

for (const encoded of [false, true]) {
  test(
    `a server that makes the offer sends two video streams on one connection, and both are judged apart, with ${encoded ? 'encoded' : 'full'} probes`,
    long,
    async ({ probes }) => {
      // The clip of encoded probes is encoded first, which takes as long as the machine is busy.
      if (encoded) test.setTimeout(180_000);
      let starved = '';
      const from = ['left', 'right'].map((id) => ({ participant: id, kinds: ['video'] }) as const);
      const one = participant('1a', { sends: ['video'], receives: ['video'], from });
      const session = { id: '1a', shape: 'forward', participants: [one] } as const;
      const server = toyServer('toy://here', (stream) => stream === starved);
      const book = new SessionBook(server, [session], new AbortController().signal);
      const options = encoded ? { encoded: { fullShare: 0 } } : {};
      await probes.withFleet(options, async ({ fleet, join, samples }) => {
        await join([one], book.negotiate, 15_000, book.begin);
        expect(failureCodes(fleet)).toEqual({ '1a': [] });
        expect(fleet.records().map(({ up }) => up)).toEqual([true]);
        starved = 'right';
        await pause(1500);
        const window = { startMs: Date.now(), endMs: Date.now() + measuredMs };
        await pause(measuredMs + 1500);
        const trial = aTrial([], { baseline: null, window });
        const timing = { ...trial.timing, measureMs: measuredMs };
        const input = { ...trial, timing, probesAsked: 1, probes: fleet.records(), samples };
        const { reasons } = judge(input);
        const noMedia = reasons.filter(({ code }) => code === 'no-media');
        expect(noMedia.map(({ stream, text }) => [stream?.stream, text])).toEqual([
          ['right', '1a received no video from right in 8 s.'],
        ]);
        const streams = samples.at(-1)?.streams.map(({ direction, stream }) => [direction, stream]);
        expect(streams).toEqual([
          ['send', undefined],
          ['receive', 'left'],
          ['receive', 'right'],
        ]);
        const [sent, left] = samples.at(-1)?.streams ?? [];
        expect(left?.direction === 'receive' && left.metrics.framesDecoded).toBeGreaterThan(0);
        // It echoes: what is seen is as wide as what is sent.
        expect(left?.metrics.frameWidth).toBe(sent?.metrics.frameWidth);
      });
      await book.close();
    },
  );
}
