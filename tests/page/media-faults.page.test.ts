import { expect } from '@playwright/test';
import { judge } from '../../analysis/judge/judge.js';
import type { Imitation } from '../../embedded-server/imitation.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { aTrial } from '../builders/trial-builder.js';
import { callOnEmbedded, negotiateWith } from '../call-on-embedded.js';
import { long } from '../effort.js';
import { failureCodes, pause, test } from '../fleet-stage.js';

const measuredMs = 8000;
const media = { width: 320, height: 180, framesPerSecond: 30, videoKbps: 300, videoCodec: 'VP8' } as const;

/** The first call is on a server that does nothing wrong. */
const servers: readonly Partial<Imitation>[] = [
  {},
  { pictureFault: 'blank', soundFault: 'silent' },
  { pictureFault: 'still' },
];

test(
  'grey and still pictures and silent sound are each named where they are, and nowhere else',
  long,
  async ({ probes }) => {
    const sessions = oneToOne.sessions(servers.length);
    const calls = await Promise.all(
      sessions.map((session, nth) => callOnEmbedded(session, media.videoKbps, servers[nth])),
    );
    try {
      await probes.withFleet({ media: { ...media, drawnMarks: true } }, async ({ fleet, join, samples }) => {
        const participants = sessions.flatMap((session) => session.participants);
        const negotiate = negotiateWith(calls);
        await join(participants, negotiate, 20_000);
        expect(Object.values(failureCodes(fleet)).flat()).toEqual([]);
        await pause(3000);
        const window = { startMs: Date.now(), endMs: Date.now() + measuredMs };
        await pause(measuredMs + 1500);
        const trial = aTrial([], { baseline: null, window, asked: participants.length });
        const timing = { ...trial.timing, measureMs: measuredMs };
        const { reasons } = judge({ ...trial, timing, probes: fleet.records(), samples });
        const codesOf = (call: string) =>
          new Set(reasons.filter(({ text }) => text.startsWith(call)).map(({ code }) => code));
        const told = reasons.map(({ text }) => text).join('\n');
        expect(codesOf('1'), told).toEqual(new Set());
        expect([...codesOf('2')], told).toEqual(expect.arrayContaining(['blank-picture', 'silent-sound']));
        expect([...codesOf('3')], told).toContain('still-picture');
        for (const code of ['blank-picture', 'silent-sound', 'still-picture'] as const)
          expect(
            reasons.filter((reason) => reason.code === code),
            told,
          ).toHaveLength(2);
      });
    } finally {
      await Promise.all(calls.map(({ close }) => close()));
    }
  },
);
