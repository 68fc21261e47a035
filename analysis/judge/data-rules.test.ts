import { expect, test } from '@playwright/test';
import type { Link, Network } from '../../model/network.js';
import type { ReceiveStreamSample } from '../../model/sample.js';
import type { Leg } from '../../model/scenario.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';
import type { JudgeInput } from './judge-input.js';
import { readExpression } from './thresholds/expression.js';

const messages = { messagesReceived: 10, messagesLost: 0, messagesRepeated: 0, delayMs: 5, delayMaxMs: 9 };
type Metrics = ReceiveStreamSample['metrics'];
const ofMessages = (metrics: (second: number) => Metrics) =>
  withProbes(calls(2), aProbe('1a').receivesMessages(metrics));
const judged = (metrics: (second: number) => Metrics) => judge(aTrial(ofMessages(metrics)));

test('one lost message of hundreds makes a trial unstable, and the reason says whose it is', () => {
  expect(judged(() => messages)).toMatchObject({ kind: 'stable', reasons: [] });
  const { kind, reasons } = judged((second) => ({ ...messages, messagesLost: second === 30 ? 1 : 0 }));
  expect(kind).toBe('unstable');
  expect(reasons).toMatchObject([
    { code: 'data-loss', probe: '1a', stream: { kind: 'data' }, measured: expect.closeTo(100 / 601), limit: 0 },
  ]);
  expect(reasons[0]?.text).toContain('1a received data from 1b without 0.17 % of the messages');
});

test('messages that come late are told by their p95, and a few of them are not', () => {
  expect(judged((second) => ({ ...messages, delayMs: second === 5 ? 3000 : 5 })).kind).toBe('stable');
  expect(judged(() => ({ ...messages, delayMs: 900 })).reasons).toMatchObject([{ code: 'late-data', measured: 900 }]);
});

test('without a message in the window nothing arrived, by that name', () => {
  expect(judged(() => ({ ...messages, messagesReceived: 0 })).reasons.map(({ text }) => text)).toEqual([
    '1a received no data from 1b in 60 s.',
  ]);
});

test('delays of another host are unknown and not judged; a loss that is not known is void', () => {
  const { delayMs: _, delayMaxMs: __, ...counts } = messages;
  expect(judged(() => counts).kind).toBe('stable');
  expect(judged(() => ({ delayMs: 5 })).kind).toBe('void');
});

test('on a link that loses packets messages are told, and not judged', () => {
  const trial = aTrial(ofMessages(() => ({ ...messages, messagesLost: 1, delayMs: 900 })));
  const onFar = (leg: Leg): Leg =>
    leg.from && 'participant' in leg.from ? { ...leg, from: { ...leg.from, network: 'far' } } : leg;
  const probes = trial.probes.map(({ participant, ...probe }) => ({
    ...probe,
    participant: { ...participant, network: 'far', legs: participant.legs.map(onFar) },
  }));
  const link: Link = { delayMs: 40, loss: { kind: 'random', percent: 3 } };
  const networks: Network[] = [{ name: 'far', sharePercent: 100, up: link, down: link, steps: [] }];
  const codesOf = (input: JudgeInput) => judge(input).reasons.map(({ code }) => code);
  expect(codesOf(trial)).toEqual(['data-loss', 'late-data']);
  expect(codesOf({ ...trial, probes, networks })).toEqual([]);
});

test('a limit of the plan on messages holds in the place of the usual one, and is read by its name', () => {
  const trial = aTrial(ofMessages(() => ({ ...messages, messagesLost: 1, delayMs: 900 })));
  const expressions = ['received.data.loss.mean <= 20%', 'received.data.delay.p95 <= 1s'].map(readExpression);
  const also = expressions.flatMap((one) => (one.ok && one.expression.of === 'stream' ? one.expression : []));
  expect(also.map(({ text }) => text)).toEqual(['received.data.loss.mean <= 20%', 'received.data.delay.p95 <= 1s']);
  expect(judge({ ...trial, thresholds: { ...trial.thresholds, also } }).kind).toBe('stable');
  expect(readExpression('sent.data.loss.mean <= 1%')).toMatchObject({
    ok: false,
    message: expect.stringContaining('loss exists for audio and video only'),
  });
});
