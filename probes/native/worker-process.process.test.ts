import { execPath } from 'node:process';
import { expect, test } from '@playwright/test';
import { checkedSampleOfLine } from '../../model/sample-line.js';
import { soon } from '../../tests/soon.js';
import type { HostCall } from '../page/wire.js';
import { WorkerProcess } from './worker-process.js';

/** A process that says these when it is set up, and stays. */
function told(...said: readonly string[]) {
  const lost: string[] = [];
  const calls: HostCall[] = [];
  const program = `process.on('message', () => { for (const one of [${said.join(',')}]) process.send(one); }); setInterval(() => {}, 1000);`;
  const worker = new WorkerProcess({
    command: [execPath, '-e', program],
    videoCodec: 'VP8',
    phaseMs: 0,
    onCall: async (call) => {
      calls.push(call);
      if (call.call === 'samples') call.samples.split('\n').map(checkedSampleOfLine);
      return null;
    },
    onSecond: () => undefined,
    onLost: (why) => void lost.push(why),
  });
  return { worker, lost, calls };
}

const sample = '{"probe":"1a","atMs":1,"intervalMs":1000,"lateMs":0,"legs":[],"streams":[]}';
const samples = (line: string): string => `{ from: 'call', nth: 1, call: { call: 'samples', samples: '${line}' } }`;
const failed = (more: string): string =>
  `{ from: 'call', nth: 2, call: { call: 'failed', probe: '1a', failure: { code: 'no-media', atMs: 1, ${more} } } }`;

test('what a process of native probes says is taken where it is of our form', async () => {
  const { worker, lost, calls } = told(`{ from: 'ready' }`, samples(sample), failed(`detail: 'nothing came'`));
  await worker.ready();
  await soon(() => calls.map(({ call }) => call), { timeout: 10_000 }).toEqual(['samples', 'failed']);
  await worker.close();
  expect(lost).toEqual([]);
});

for (const [what, rubbish] of Object.entries({
  'no object': 'null',
  'of no kind': `{ from: 'above' }`,
  'a call of none': `{ from: 'call', nth: 1, call: { call: 'everything' } }`,
  'a failure without words': failed('detail: { length: 5 }'),
  'a sample that is none': samples('{"probe":5}'),
  'a sample that is no JSON': samples('{'),
  'a description of ten million characters': `{ from: 'renegotiated', nth: 1, answer: 'v'.repeat(1e7) }`,
}))
  test(`a process of native probes that says ${what} is lost by that name, and not heard any more`, async () => {
    const { worker, lost, calls } = told(rubbish, failed(`detail: 'it did not come up'`));
    await expect(worker.ready()).rejects.toThrow();
    await soon(() => lost, { timeout: 10_000 }).toEqual(['what it said cannot be read']);
    expect(calls.filter(({ call }) => call === 'failed')).toEqual([]);
    await worker.close();
  });
