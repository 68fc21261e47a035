import { execPath } from 'node:process';
import { expect, test } from '@playwright/test';
import { soon } from '../../tests/soon.js';
import type { HostCall, ProbeOrder } from '../page/wire.js';
import { WorkerProcess } from './worker-process.js';

/** A process that plays the probe 1a, says these, and stays. */
const told = (...said: readonly string[]) =>
  saying(`for (const one of [${said.join(',')}]) say(require('node:v8').serialize(one));`);

/** The same by words of a program, whose `say` puts a length before the bytes. */
function saying(words: string) {
  const lost: string[] = [];
  const calls: HostCall[] = [];
  const program = `const pipe = new (require('node:net').Socket)({ fd: 3 });
    const say = (bytes, length = bytes.length) => {
      const head = Buffer.alloc(4);
      head.writeUInt32BE(length);
      pipe.write(Buffer.concat([head, bytes]));
    };
    pipe.once('data', () => { ${words} });
    setInterval(() => {}, 1000);`;
  const worker = new WorkerProcess({
    command: [execPath, '-e', program],
    videoCodec: 'VP8',
    phaseMs: 0,
    ownClock: 0,
    onCall: async (call, sampleOf) => {
      calls.push(call);
      if (call.call === 'samples') call.samples.split('\n').map(sampleOf);
      return null;
    },
    onSecond: () => undefined,
    onLost: (why) => void lost.push(why),
  });
  worker.start({ participant: { id: '1a' } } as ProbeOrder);
  return { worker, lost, calls };
}

const sample = '{"probe":"1a","atMs":1,"intervalMs":1000,"lateMs":0,"legs":[],"streams":[]}';
const samples = (line: string): string => `{ from: 'call', nth: 1, call: { call: 'samples', samples: '${line}' } }`;
const failed = (more: string, probe = '1a'): string =>
  `{ from: 'call', nth: 2, call: { call: 'failed', probe: '${probe}', failure: { code: 'no-media', atMs: 1, ${more} } } }`;

test('what a process of native probes says is taken where it is of our form', async () => {
  const { worker, lost, calls } = told(`{ from: 'ready' }`, samples(sample), failed(`detail: 'nothing came'`));
  await worker.ready();
  await soon(() => calls.map(({ call }) => call), { timeout: 10_000 }).toEqual(['samples', 'failed']);
  await worker.close();
  expect(lost).toEqual([]);
});

const manyTimes = Object.fromEntries(Array.from({ length: 1000 }, (_, nth) => [`at${nth}`, nth]));

for (const [what, rubbish] of Object.entries({
  'no object': 'null',
  'of no kind': `{ from: 'above' }`,
  'a call of none': `{ from: 'call', nth: 1, call: { call: 'everything' } }`,
  'a failure of a probe that another one plays': failed(`detail: 'nothing came'`, '1b'),
  'a thousand times of joining': `{ from: 'call', nth: 1, call: { call: 'reached', probe: '1a', join: ${JSON.stringify(manyTimes)} } }`,
  'a failure without words': failed('detail: { length: 5 }'),
  'a description of ten million characters': `{ from: 'renegotiated', nth: 1, answer: 'v'.repeat(1e7) }`,
}))
  test(`a process of native probes that says ${what} is lost by that name, and not heard any more`, async () => {
    const { worker, lost, calls } = told(rubbish, failed(`detail: 'it did not come up'`));
    await expect(worker.ready()).rejects.toThrow();
    await soon(() => lost, { timeout: 10_000 }).toEqual(['what it said cannot be read']);
    expect(calls.filter(({ call }) => call === 'failed')).toEqual([]);
    await worker.close();
  });

for (const [what, line] of Object.entries({
  none: '{"probe":5}',
  'no JSON': '{',
  'of a probe that another one plays': sample.replace('1a', '1b'),
  'of another host': sample.replace('{', '{"host":"b",'),
}))
  test(`a process of native probes that tells a sample that is ${what} is lost by that name`, async () => {
    const { worker, lost } = told(samples(line));
    await expect(worker.ready()).rejects.toThrow();
    await soon(() => lost, { timeout: 10_000 }).toEqual(['what it said cannot be read']);
    await worker.close();
  });

for (const [what, words] of Object.entries({
  'what no serializer writes': 'say(Buffer.alloc(100, 1));',
  'what would be a handle': `say(require('node:v8').serialize({ cmd: 'NODE_HANDLE', type: 'net.Socket' }));`,
  'a message without end': 'say(Buffer.alloc(100), 2 ** 32 - 1);',
  'nothing at all': 'say(Buffer.alloc(0));',
}))
  test(`a process of native probes that writes ${what} into its pipe is lost by that name`, async () => {
    const { worker, lost } = saying(words);
    await expect(worker.ready()).rejects.toThrow();
    await soon(() => lost, { timeout: 10_000 }).toEqual(['what it said cannot be read']);
    await worker.close();
  });
