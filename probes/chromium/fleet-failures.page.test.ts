import { expect } from '@playwright/test';
import type { Negotiate } from '../../model/signalling.js';
import { long } from '../../tests/effort.js';
import { failureCodes, ownChromiums, participant, pause, test } from '../../tests/fleet-stage.js';
import { soon } from '../../tests/soon.js';

test('a probe whose remote never sends video is no-media, by the stream that is missing', async ({ probes }) => {
  await probes.withServer({ withoutVideo: ['1a'] }, ({ negotiate }) =>
    probes.withFleet({}, async ({ fleet, events, join }) => {
      await join([participant('1a'), participant('2a')], negotiate, 4_000);
      expect(failureCodes(fleet)).toEqual({ '1a': ['no-media'], '2a': [] });
      const [failure] = fleet.records()[0]?.failures ?? [];
      expect(failure?.missing).toEqual(['video from 1a-far']);
      expect(failure?.detail).toMatch(/^connected, but no video from 1a-far for [34](\.\d)? s$/);
      expect(events.map(({ type }) => type).sort()).toEqual(['probe-failed', 'probe-up']);
    }),
  );
});

test('each way not to join has its own name', async ({ probes }) => {
  const never = new Promise<never>(() => undefined);
  await probes.withServer({}, ({ negotiate }) =>
    probes.withFleet({}, async ({ fleet, join }) => {
      const people = ['silent', 'unreachable', 'refused'].map((id) => participant(id));
      const negotiation: Negotiate = async (request) => {
        if (request.participant.id === 'silent') return never;
        if (request.participant.id === 'refused') throw new Error('no more endpoints');
        const agreed = await negotiate({ ...request, onCandidate: () => undefined });
        const answer = agreed.answer.replaceAll(/a=candidate.*\r\n/g, '');
        return { answer, addCandidate: async () => undefined };
      };
      await join(people, negotiation, 2_000);
      expect(failureCodes(fleet)).toEqual({
        silent: ['signalling-timeout'],
        unreachable: ['ice-timeout'],
        refused: ['refused'],
      });
      const details = fleet.records().map((record) => record.failures[0]?.detail);
      expect(details[0]).toBe('no SDP answer in 2 s');
      expect(details[1]).toMatch(/ICE .* 2(\.\d)? s \(state (new|checking)\)$/);
      expect(details[2]).toContain('no more endpoints');
    }),
  );
});

test('a far end that goes away is a disconnect of that probe alone, and is never healed', long, async ({ probes }) => {
  await probes.withServer({}, ({ negotiate, hangUp }) =>
    probes.withFleet({}, async ({ fleet, join }) => {
      await join([participant('1a'), participant('2a')], negotiate);
      await hangUp('1a');
      await soon(() => failureCodes(fleet), { timeout: 15_000 }).toEqual({ '1a': ['disconnected'], '2a': [] });
      expect(fleet.records().map(({ up }) => up)).toEqual([true, true]);
    }),
  );
});

test('a page that crashes fails its probes, is not started again, and the others go on', async ({ probes }) => {
  await probes.withServer({}, ({ negotiate }) =>
    probes.withFleet({ probesPerPage: 1 }, async ({ fleet, samples, events, temporaryRoot, join }) => {
      await join([participant('1a'), participant('2a')], negotiate);
      const [renderer] = await ownChromiums(temporaryRoot, 'renderer');
      process.kill(renderer ?? Number.NaN, 'SIGKILL');
      await soon(() => Object.values(failureCodes(fleet)).flat()).toEqual(['page-crashed']);
      const fallen = fleet.records().find(({ failures }) => failures.length > 0)?.participant.id;
      samples.length = 0;
      await pause(3_000);
      expect(new Set(samples.map(({ probe }) => probe))).toEqual(new Set([fallen === '1a' ? '2a' : '1a']));
      expect(events.filter(({ type }) => type === 'warning')).toHaveLength(1);
    }),
  );
});

test('a browser that ends fails all its probes, and the other browser goes on', async ({ probes }) => {
  await probes.withServer({}, ({ negotiate }) =>
    probes.withFleet(
      { probesPerPage: 1, pagesPerBrowser: 1 },
      async ({ fleet, samples, events, temporaryRoot, join }) => {
        await join([participant('1a'), participant('2a')], negotiate);
        const [victim] = await ownChromiums(temporaryRoot, 'browser');
        process.kill(victim ?? Number.NaN, 'SIGKILL');
        await soon(() => Object.values(failureCodes(fleet)).flat()).toEqual(['browser-crashed']);
        samples.length = 0;
        await pause(2_500);
        expect(new Set(samples.map(({ probe }) => probe)).size).toBe(1);
        expect(events.filter(({ type }) => type === 'browser-crashed')).toHaveLength(1);
      },
    ),
  );
});
