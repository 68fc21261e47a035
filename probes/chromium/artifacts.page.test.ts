import { expect } from '@playwright/test';
import { long } from '../../tests/effort.js';
import { participant, test } from '../../tests/fleet-stage.js';
import { soon } from '../../tests/soon.js';

test(
  'of a probe that lost its server the last picture, its stats and both descriptions are kept, without passwords',
  long,
  async ({ probes }) => {
    await probes.withFleet({}, async ({ artifacts, join }) => {
      await probes.withServer({}, ({ negotiate }) => join([participant('1a')], negotiate));
      // The server is gone; Chromium notices after some five seconds.
      await soon(() => artifacts.length, { timeout: 20_000 }).toBe(1);
      const [kept] = artifacts;
      expect(kept?.probe).toBe('1a');
      expect(kept?.picture).toMatch(/^data:image\/jpeg;base64,[A-Za-z0-9+/=]{1000,}$/);
      const texts = Object.fromEntries(kept?.texts.map(({ name, text }) => [name, text]) ?? []);
      expect(Object.keys(texts)).toEqual(['last stats of 1a', 'offer of 1a', 'answer of 1a']);
      expect(texts['last stats of 1a']).toContain('"inbound-rtp"');
      expect(texts['answer of 1a']).toContain('m=video');
      expect(texts['offer of 1a']).toContain('a=ice-pwd:(left out)');
    });
  },
);

test('of a probe that never got video no picture is kept, and of a healthy one nothing', long, async ({ probes }) => {
  await probes.withServer({ withoutVideo: ['1a'] }, ({ negotiate }) =>
    probes.withFleet({}, async ({ artifacts, join }) => {
      await join([participant('1a'), participant('2a')], negotiate, 4_000);
      await soon(() => artifacts.map(({ probe }) => probe), { timeout: 5_000 }).toEqual(['1a']);
      expect(artifacts[0]?.picture).toBeUndefined();
    }),
  );
});

test('of many probes that fail, the first eight are kept', async ({ probes }) => {
  await probes.withFleet({}, async ({ artifacts, events, join }) => {
    const people = Array.from({ length: 10 }, (_, index) => participant(`${index + 1}a`));
    await join(people, () => Promise.reject(new Error('no more endpoints')), 4_000);
    expect(events.filter(({ type }) => type === 'probe-failed')).toHaveLength(10);
    await soon(() => artifacts.length, { timeout: 5_000 }).toBe(8);
  });
});
