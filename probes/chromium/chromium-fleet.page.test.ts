import { expect } from '@playwright/test';
import { readCommandLines } from '../../host/processes.js';
import type { Sample } from '../../model/sample.js';
import { long } from '../../tests/effort.js';
import { failureCodes, ownChromiums, participant, pause, stream, test } from '../../tests/fleet-stage.js';

test('a probe joins, fills its bitrate and is measured each second with sane values', async ({ probes }) => {
  await probes.withServer({}, ({ negotiate }) =>
    probes.withFleet({}, async ({ fleet, samples, join }) => {
      await join([participant('1a')], negotiate);
      await pause(6_500);
      const [host] = await fleet.readHosts();
      await fleet.leave();
      const [record] = fleet.records();
      expect(record).toMatchObject({ up: true, failures: [], browser: 0, page: 0 });
      expect(record?.join.answerMs).toBeGreaterThan(0);
      expect(record?.join.dtlsConnectedMs).toBeGreaterThanOrEqual(record?.join.iceConnectedMs ?? Number.NaN);
      expect(record?.join.firstFrameMs).toBeGreaterThan(record?.join.dtlsConnectedMs ?? Number.NaN);

      expect(samples.length).toBeGreaterThanOrEqual(5);
      for (const sample of samples) {
        expect(sample.intervalMs).toBeGreaterThan(500);
        expect(Math.abs(sample.atMs - Date.now())).toBeLessThan(20_000);
      }
      const last = samples.at(-1);
      const sent = stream(last, 'send', 'video');
      const kbps = ((sent.metrics.bytesSent ?? 0) * 8) / (last?.intervalMs ?? 1);
      expect(kbps).toBeGreaterThan(350);
      expect(kbps).toBeLessThan(650);
      expect(sent.metrics).toMatchObject({ frameWidth: 640, frameHeight: 360, packetsResent: 0 });
      expect(sent.metrics.framesEncoded).toBeGreaterThan(15);
      expect(sent.qualityLimitation).toBeDefined();
      const seen = stream(last, 'receive', 'video').metrics;
      expect(seen).toMatchObject({ frameWidth: 320, frameHeight: 180 });
      expect(seen.framesDecoded).toBeGreaterThan(10);
      const heard = stream(last, 'receive', 'audio').metrics;
      expect(heard.packetsReceived).toBeGreaterThan(40);
      expect(heard.totalSamples).toBeGreaterThan(40_000);
      expect(heard.jitterBufferMs).toBeGreaterThan(0);
      expect(last?.legs).toMatchObject([{ leg: '1a', connectionState: 'connected', localCandidateType: 'host' }]);
      expect(host?.probeCores).toBeGreaterThan(0.02);
      // By clock ticks of 10 ms: where nothing else ran they are the same.
      expect(host?.probeCores).toBeLessThanOrEqual(host?.busyCores ?? 0);

      const got = samples.length;
      await pause(1_500);
      expect(samples.length, 'no sample after leaving').toBe(got);
    }),
  );
});

test('two probes in one page are accounted apart', long, async ({ probes }) => {
  await probes.withServer({}, ({ negotiate }) =>
    probes.withFleet({}, async ({ fleet, samples, join }) => {
      const listener = participant('1b', { sends: [], receives: ['audio'] });
      await join([participant('1a'), listener], negotiate);
      await pause(4_500);
      expect(fleet.records().map(({ page, up }) => [page, up])).toEqual([
        [0, true],
        [0, true],
      ]);
      const of = (probe: string): Sample | undefined => samples.filter((sample) => sample.probe === probe).at(-1);
      expect(of('1b')?.streams.map(({ direction, kind }) => [direction, kind])).toEqual([['receive', 'audio']]);
      // The far end sends 15 frames and 50 audio packets a second on each leg: counted together they would double.
      expect(stream(of('1a'), 'receive', 'video').metrics.framesDecoded).toBeLessThan(24);
      expect(stream(of('1a'), 'receive', 'audio').metrics.packetsReceived).toBeLessThan(75);
      expect(stream(of('1b'), 'receive', 'audio').metrics.packetsReceived).toBeLessThan(75);
    }),
  );
});

test('full probes draw marks where that is asked, and nowhere else', long, async ({ probes }) => {
  const media = { width: 640, height: 360, framesPerSecond: 30, videoKbps: 500, videoCodec: 'VP8' } as const;
  const drawn = (drawnMarks?: true) =>
    new Promise<number | undefined>((resolve, reject) => {
      probes
        .withServer({}, ({ negotiate }) =>
          probes.withFleet({ media: drawnMarks ? { ...media, drawnMarks } : media }, async ({ samples, join }) => {
            await join([participant('1a')], negotiate);
            await pause(3_500);
            resolve(stream(samples.at(-1), 'send', 'video').metrics.drawnFrames);
          }),
        )
        .catch(reject);
    });
  expect(await drawn(true)).toBeGreaterThan(10);
  expect(await drawn()).toBeUndefined();
});

test(
  'sound that a page does not give in time is made up by the playout of its host, and told',
  long,
  async ({ probes }) => {
    await probes.withServer({}, ({ negotiate }) =>
      probes.withFleet({}, async ({ samples, temporaryRoot, join }) => {
        await join([participant('1a')], negotiate);
        await pause(2_500);
        const pages = await ownChromiums(temporaryRoot, 'renderer');
        const quiet = samples.length;
        for (let stop = 0; stop < 4; stop += 1) {
          for (const pid of pages) process.kill(pid, 'SIGSTOP');
          await pause(300);
          for (const pid of pages) process.kill(pid, 'SIGCONT');
          await pause(700);
        }
        await pause(500);
        const madeUp = samples.map((sample) => stream(sample, 'receive', 'audio').metrics.synthesizedPlayoutMs ?? 0);
        expect(Math.max(...madeUp.slice(quiet)), `${madeUp}`).toBeGreaterThan(100);
      }),
    );
  },
);

test('a page whose probes only receive opens no camera', long, async ({ probes }) => {
  await probes.withServer({}, ({ negotiate }) =>
    probes.withFleet({}, async ({ fleet, samples, temporaryRoot, join }) => {
      await join([participant('1b', { sends: [] })], negotiate);
      await pause(3_500);
      expect(fleet.records()).toMatchObject([{ up: true, failures: [] }]);
      expect(stream(samples.at(-1), 'receive', 'video').metrics.framesDecoded).toBeGreaterThan(10);
      expect(stream(samples.at(-1), 'receive', 'audio').metrics.jitterBufferMs).toBeGreaterThan(0);
      expect(await capturesVideo(temporaryRoot)).toBe(false);
    }),
  );
  await probes.withServer({}, ({ negotiate }) =>
    probes.withFleet({}, async ({ temporaryRoot, join }) => {
      await join([participant('1a')], negotiate);
      expect(await capturesVideo(temporaryRoot), 'a sender does open one').toBe(true);
    }),
  );
});

/** Chromium reads cameras in a process of its own, which starts with the first. */
async function capturesVideo(temporaryRoot: string): Promise<boolean> {
  const [own, lines] = await Promise.all([ownChromiums(temporaryRoot), readCommandLines()]);
  return own.some((pid) => lines.get(pid)?.some((argument) => argument.includes('VideoCaptureService')));
}

test('an aborted join rejects with the reason, and no browser is left', async ({ probes }) => {
  await probes.withFleet({}, async ({ fleet }) => {
    const abort = new AbortController();
    const joining = fleet.join([participant('1a')], {
      pacePerSecond: 1,
      deadlineMs: 10_000,
      negotiate: () => new Promise(() => undefined),
      signal: abort.signal,
    });
    setTimeout(() => abort.abort(new Error('stopped by hand')), 1_000);
    await expect(joining).rejects.toThrow('stopped by hand');
    expect(failureCodes(fleet)).toEqual({ '1a': ['aborted'] });
  });
});

test('a Chromium that does not start is E_CHROMIUM_START with what was seen', async ({ probes }) => {
  await probes.withFleet({ chromiumPath: '/bin/false' }, async ({ join }) => {
    const joining = join([participant('1a')], () => Promise.reject(new Error('never asked')));
    await expect(joining).rejects.toMatchObject({ code: 'E_CHROMIUM_START', where: '/bin/false' });
  });
});
