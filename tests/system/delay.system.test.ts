import { env } from 'node:process';
import { expect, test } from '@playwright/test';
import type { Imitation } from '../../embedded-server/imitation.js';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import type { EncodableCodec } from '../../model/codec.js';
import { openWorkshop } from './running-tool.js';

const asked = [
  '--size',
  '1',
  '--media',
  'encoded',
  '--measure',
  '10s',
  '--settle',
  '4s',
  '--no-record',
  '--no-warm-up',
];

/** An encoded 1:1 call on a server with this about it. */
async function callOn(imitation: Partial<Imitation>, codec: EncodableCodec = 'VP8') {
  const [workshop, far] = await Promise.all([openWorkshop(), startEmbeddedServer({ port: 0, imitation })]);
  try {
    const server = ['--server', `kurento://127.0.0.1:${far.port}`];
    const all = ['try', 'one-to-one', ...server, ...asked, '--codec', codec];
    const ended = await workshop.start(all).endedOnceDecided();
    const { records } = await ended.storedRun();
    const [record] = records.filter(({ verdict }) => verdict.kind !== 'void');
    const videos = record?.streams.filter(({ direction, kind }) => direction === 'receive' && kind === 'video') ?? [];
    expect(videos, ended.stderr).toHaveLength(2);
    return { record, values: videos.map(({ values }) => values), stderr: ended.stderr };
  } finally {
    await far.close();
    await workshop.dispose();
  }
}

for (const [delayMs, codec] of [
  [0, 'VP8'],
  [150, 'H264'],
] as const)
  test(`encoded probes tell the ${delayMs} ms that a server adds, and little more, by marks in ${codec}`, async () => {
    test.skip(delayMs === 0 && env.LOADLINE_ALL_FAULTS !== '1', 'as the other one: LOADLINE_ALL_FAULTS=1');
    const { record, values, stderr } = await callOn({ delayMs }, codec);
    expect(record?.verdict.kind, stderr).toBe('stable');
    for (const { delayMs: told = Number.NaN, foreignPercent } of values) {
      expect(told).toBeGreaterThanOrEqual(delayMs);
      expect(told).toBeLessThan(delayMs + 50);
      expect(foreignPercent).toBe(0);
    }
  });

test('a server that gives each its own picture and sound in place of the other one is unstable, and reasons name who it was', async () => {
  const { record } = await callOn({ pictureFault: 'swapped', soundFault: 'swapped' });
  const textsOf = (wanted: string) =>
    record?.verdict.reasons.flatMap(({ code, text }) => (code === wanted ? [text] : [])).sort();
  expect(record?.verdict.kind).toBe('unstable');
  expect(textsOf('wrong-picture')).toEqual([
    '1a received video from 1b with the pictures of 1a in 100 % of its frames (limit 1 %).',
    '1b received video from 1a with the pictures of 1b in 100 % of its frames (limit 1 %).',
  ]);
  expect(textsOf('wrong-sound')).toEqual([
    '1a received audio from 1b with the sound of 1a in 100 % of its packets (limit 1 %).',
    '1b received audio from 1a with the sound of 1b in 100 % of its packets (limit 1 %).',
  ]);
});
