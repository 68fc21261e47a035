import { expect, test } from '@playwright/test';
import { type Conversation, conversationOf, silentPacket } from './conversation.js';

const spokenBytes = 80;
const packetMs = 20;

interface Ways {
  /** One way, each way. */
  readonly delayMs?: number;
  readonly pauseMs?: number;
  /** What of the agent's packets comes to who asks. */
  readonly passes?: (nowMs: number) => boolean;
  /** The agent hears nothing from then on. */
  readonly deafFromMs?: number;
}

/** What who asks counted in so long a talk with an agent of ours, by packets every 20 ms. */
function talk(
  forMs: number,
  { delayMs = packetMs, pauseMs = 800, passes = () => true, deafFromMs = Infinity }: Ways = {},
) {
  const [asker, agent] = (['asks', 'answers'] as const).map((part) => conversationOf('1a', { part, pauseMs }));
  const onTheWay: { readonly to: Conversation; readonly bytes: number; readonly atMs: number }[] = [];
  const counted = { questions: 0, unanswered: 0, spokenInto: 0, answersMs: [] as number[] };
  for (let nowMs = 0; nowMs < forMs; nowMs += packetMs) {
    for (const { to, bytes } of onTheWay.filter(({ atMs }) => atMs === nowMs)) to.heard(bytes, nowMs);
    const send = (from: Conversation | undefined, to: Conversation | undefined, arrives: boolean) => {
      const bytes = from?.speaks(nowMs) ? spokenBytes : silentPacket.length;
      if (to && arrives) onTheWay.push({ to, bytes, atMs: nowMs + delayMs });
    };
    send(asker, agent, nowMs < deafFromMs);
    send(agent, asker, passes(nowMs));
    const taken = nowMs % 1000 === 0 ? asker?.take() : undefined;
    counted.questions += taken?.questions ?? 0;
    counted.unanswered += taken?.unansweredQuestions ?? 0;
    counted.spokenInto += taken?.interruptedQuestions ?? 0;
    if (taken?.answerMs !== undefined) counted.answersMs.push(taken.answerMs);
  }
  return counted;
}

test("an answer comes by the agent's pause and the way there and back", () => {
  const { questions, answersMs, ...rest } = talk(60_000, { delayMs: 100, pauseMs: 800 });
  expect(questions).toBeGreaterThanOrEqual(6);
  expect(answersMs).toHaveLength(questions);
  for (const ms of answersMs) expect(ms).toBe(1000);
  expect(rest).toEqual({ unanswered: 0, spokenInto: 0 });
});

test('a window of ten seconds has the end of a question in it, even if nobody answers', () => {
  const { questions, unanswered, answersMs } = talk(30_000, { deafFromMs: 0 });
  expect(questions).toBeGreaterThanOrEqual(2);
  expect(unanswered).toBe(questions);
  expect(answersMs).toEqual([]);
});

test('an agent that takes a breath for the end of a question speaks into it', () => {
  // For half a second of each question nothing of it arrives.
  const half = (nowMs: number) => nowMs % 1000 < 500;
  const asker = conversationOf('1a', { part: 'asks', pauseMs: 800 });
  let questions = 0;
  let spokenInto = 0;
  for (let nowMs = 0; nowMs < 30_000; nowMs += packetMs) {
    asker.heard(asker.speaks(nowMs) && half(nowMs) ? spokenBytes : silentPacket.length, nowMs);
    const taken = asker.take();
    questions += taken?.questions ?? 0;
    spokenInto += taken?.interruptedQuestions ?? 0;
  }
  expect(questions).toBeGreaterThan(2);
  expect(spokenInto).toBe(questions);
});

test('an agent that is silent in a few large packets a second, as a browser with DTX, is not taken to speak', () => {
  const asker = conversationOf('1a', { part: 'asks', pauseMs: 800 });
  const answersMs: number[] = [];
  let [questions, askedMs] = [0, Number.NaN];
  for (let nowMs = 0; nowMs < 30_000; nowMs += packetMs) {
    if (asker.speaks(nowMs)) askedMs = nowMs;
    const sinceMs = nowMs - askedMs;
    if (sinceMs >= 500 && sinceMs < 1500) asker.heard(spokenBytes, nowMs);
    else if (nowMs % 200 === 0) asker.heard(28, nowMs);
    const taken = asker.take();
    questions += taken?.questions ?? 0;
    if (taken?.answerMs !== undefined) answersMs.push(taken.answerMs);
  }
  expect(questions).toBeGreaterThan(2);
  // A packet of silence may be taken for the first of the answer.
  for (const ms of answersMs) expect(Math.abs(ms - 500)).toBeLessThanOrEqual(packetMs);
  expect(answersMs).toHaveLength(questions);
});

test('nobody asks before the other one is there, and the question goes to whom is heard', () => {
  const late = talk(20_000, { passes: (nowMs) => nowMs > 15_000 });
  expect(late.questions).toBe(0);
});

test('who answers asks nothing, and is silent as soon as it is spoken to', () => {
  const agent = conversationOf('1b', { part: 'answers', pauseMs: 100 });
  agent.heard(spokenBytes, 0);
  expect([agent.speaks(80), agent.speaks(100)]).toEqual([false, true]);
  agent.heard(spokenBytes, 120);
  expect(agent.speaks(140)).toBe(false);
  expect(agent.take()).toBeUndefined();
});
