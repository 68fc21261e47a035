import { expect } from '@playwright/test';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { callOnEmbedded, negotiateWith } from '../call-on-embedded.js';
import { long } from '../effort.js';
import { pathWithVmaf, withPath } from '../ffmpeg-with-vmaf.js';
import { pause, stream, test } from '../fleet-stage.js';

/** Of the second call the server lets through what is a third of it. */
const [wholeKbps, lowKbps] = [500, 150];
const media = { width: 640, height: 360, framesPerSecond: 30, videoKbps: wholeKbps, videoCodec: 'VP8' } as const;

test('pictures are less like those that were sent where the server lowers their rate', long, ({ probes }) =>
  withPath(pathWithVmaf ?? '/usr/bin:/bin', async () => {
    const sessions = oneToOne.sessions(2);
    const calls = await Promise.all(
      sessions.map((session, nth) => callOnEmbedded(session, nth === 0 ? wholeKbps : lowKbps)),
    );
    try {
      await probes.withFleet({ media: { ...media, see: 3 } }, async ({ fleet, join, samples, artifacts }) => {
        const negotiate = negotiateWith(calls);
        await join(
          sessions.flatMap(({ participants }) => participants),
          negotiate,
          20_000,
        );
        await pause(6000);
        const before = samples.length;
        await pause(6000);
        await fleet.leave();
        const valuesOf = (probe: string, name: 'ssim' | 'vmaf') =>
          samples
            .slice(before)
            .filter((sample) => sample.probe === probe)
            .flatMap((sample) => stream(sample, 'receive', 'video').metrics[name] ?? []);
        const ssimsOf = (probe: string) => valuesOf(probe, 'ssim');
        const told = JSON.stringify(['1a', '1b', '2a', '2b'].map(ssimsOf));
        expect(ssimsOf('1a').length, told).toBeGreaterThanOrEqual(4);
        expect(Math.min(...ssimsOf('1a'), ...ssimsOf('1b')), told).toBeGreaterThan(Math.max(...ssimsOf('2a')) + 0.02);
        expect(ssimsOf('2b'), 'three were to look').toEqual([]);
        const vmafs = ['1a', '1b', '2a'].map((probe) => valuesOf(probe, 'vmaf'));
        if (pathWithVmaf === undefined) expect(vmafs).toEqual([[], [], []]);
        else expect(Math.min(...vmafs.slice(0, 2).flat())).toBeGreaterThan(Math.max(...(vmafs[2] ?? []), 0) + 5);
        if (pathWithVmaf !== undefined) expect(vmafs.map(({ length }) => length > 2)).toEqual([true, true, true]);
        expect(artifacts.map(({ probe }) => probe).sort()).toEqual(['1a', '1b', '2a']);
        for (const { picture } of artifacts) expect(picture).toMatch(/^data:image\/jpeg;base64,.{5000}/);
      });
    } finally {
      await Promise.all(calls.map(({ close }) => close()));
    }
  }),
);
