import { expect } from '@playwright/test';
import { judge } from '../../analysis/judge/judge.js';
import type { Imitation } from '../../embedded-server/imitation.js';
import type { Reason } from '../../model/verdict.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { aTrial } from '../builders/trial-builder.js';
import { callOnEmbedded, negotiateWith } from '../call-on-embedded.js';
import { long } from '../effort.js';
import { failureCodes, pause, type RealProbes, test } from '../fleet-stage.js';
import { isInstalled } from '../installed.js';

const measuredMs = 8000;
const settledMs = 4000;
const media = { width: 320, height: 180, framesPerSecond: 30, videoKbps: 300, videoCodec: 'VP8' } as const;

/** What is told of calls, each on a server of its own with this about it. */
async function toldOf(servers: readonly Partial<Imitation>[], probes: RealProbes) {
  const sessions = oneToOne.sessions(servers.length);
  const calls = await Promise.all(
    sessions.map((session, nth) => callOnEmbedded(session, media.videoKbps, servers[nth])),
  );
  let reasons: readonly Reason[] = [];
  let failures: readonly string[] = [];
  try {
    await probes.withFleet({ media: { ...media, drawnMarks: true } }, async ({ fleet, join, samples }) => {
      const participants = sessions.flatMap((session) => session.participants);
      await join(participants, negotiateWith(calls), 20_000);
      failures = Object.values(failureCodes(fleet)).flat();
      await pause(settledMs);
      const window = { startMs: Date.now(), endMs: Date.now() + measuredMs };
      await pause(measuredMs + 1500);
      const trial = aTrial([], { baseline: null, window, asked: participants.length });
      const timing = { ...trial.timing, measureMs: measuredMs };
      reasons = judge({ ...trial, timing, probes: fleet.records(), samples }).reasons;
    });
  } finally {
    await Promise.all(calls.map(({ close }) => close()));
  }
  const codesOf = (probe: string) => [
    ...new Set(reasons.filter(({ text }) => text.startsWith(probe)).map(({ code }) => code)),
  ];
  return { reasons, failures, codesOf, told: reasons.map(({ text }) => text).join('\n') };
}

test(
  'grey and still pictures and silent sound are each named where they are, and nowhere else',
  long,
  async ({ probes }) => {
    const faults = [{}, { pictureFault: 'blank', soundFault: 'silent' }, { pictureFault: 'still' }] as const;
    const { reasons, failures, codesOf, told } = await toldOf(faults, probes);
    expect(failures).toEqual([]);
    expect(codesOf('1'), told).toEqual([]);
    expect(codesOf('2'), told).toEqual(expect.arrayContaining(['blank-picture', 'silent-sound']));
    expect(codesOf('3'), told).toContain('still-picture');
    for (const code of ['blank-picture', 'silent-sound', 'still-picture'] as const)
      expect(
        reasons.filter((reason) => reason.code === code),
        told,
      ).toHaveLength(2);
  },
);

test(
  'pictures of half the size, in the baseline itself, a queue of 3 s, and a picture that is missing, are named',
  long,
  async ({ probes }) => {
    test.skip(!isInstalled(['gst-launch-1.0']), 'gst-launch-1.0 is not installed (apt-get install gstreamer1.0-tools)');
    const faults = [{ pictureFault: 'half', delayMs: 3000 }, { pictureFault: 'missing' }] as const;
    const { reasons, codesOf, told } = await toldOf(faults, probes);
    const sharesOf = (wanted: Reason['code']) =>
      reasons.flatMap(({ code, probe, measured }) => (code === wanted ? [[probe, measured]] : []));
    expect(sharesOf('narrow-picture'), told).toEqual([
      ['1a', 50],
      ['1b', 50],
    ]);
    for (const probe of ['1a', '1b']) expect(codesOf(probe), told).toContain('late-picture');
    expect(
      ['2a', '2b'].filter((probe) => codesOf(probe).includes('no-media')),
      told,
    ).toHaveLength(1);
  },
);
