import { expect, test } from '@playwright/test';
import { atOnce } from '../../model/in-steps.js';
import type { ReceiveMetric, SendMetric } from '../../model/metric.js';
import type { Sample, StreamSample } from '../../model/sample.js';
import { participantsOf, type Scenario } from '../../model/scenario.js';
import { seededRandom } from '../../model/seeded-random.js';
import type { MediaChange } from '../../model/stimulus.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { withStates } from '../../scenarios/with-states.js';
import { both, times } from '../../tests/effort.js';
import { measuringWindow } from '../measure/window.js';
import { mediaChanges } from './media-changes.js';

const seconds = 6;
type Received = Partial<Record<ReceiveMetric, number>>;

/** One second of what 1a and 1b send, and of what each receives of the other. */
interface Second {
  readonly sentSound: number;
  readonly sound: Received;
  readonly sentPictures?: number;
  readonly pictures?: Received;
}

function seenOf(secondOf: (nth: number) => Second, scenario: Scenario = oneToOne): readonly MediaChange[] {
  const participants = participantsOf(scenario.sessions(1));
  const samples = participants.flatMap(({ id, legs }) =>
    Array.from({ length: seconds }, (_, nth): Sample => {
      const leg = legs[0]?.id ?? '';
      const { sentSound, sound, sentPictures = 30, pictures } = secondOf(nth);
      const sends = (kind: 'audio' | 'video', metrics: Partial<Record<SendMetric, number>>): StreamSample => ({
        ...{ leg, direction: 'send', kind, metrics },
      });
      const streams: StreamSample[] = [
        sends('audio', { packetsSent: sentSound, packetsResent: 0 }),
        sends('video', { framesSent: sentPictures }),
        { leg, direction: 'receive', kind: 'audio', metrics: sound },
        { leg, direction: 'receive', kind: 'video', metrics: pictures ?? wholePictures },
      ];
      const at = { atMs: 1000 * (nth + 1), intervalMs: 1000, lateMs: 1 };
      return { probe: id, ...at, legs: [{ leg, connectionState: 'connected' }], streams };
    }),
  );
  const window = { startMs: 0, endMs: 1000 * seconds };
  return mediaChanges(atOnce(measuringWindow(samples, participants, window)));
}

const wholePictures: Received = {
  packetsReceived: 60,
  packetsLost: 0,
  framesReceived: 30,
  framesDecoded: 30,
  framesDropped: 0,
};
const wholeSound: Received = {
  ...{
    packetsReceived: 50,
    packetsLost: 0,
    packetsDiscarded: 0,
    concealedSamples: 0,
    totalSamples: 48_000,
    jitterMs: 1,
  },
};
const kinds = (changes: readonly MediaChange[]) =>
  changes.map(({ change, kind, probe }) => `${probe} ${kind} ${change}`);

test('one packet out for one packet in, all samples and whole pictures: nothing is said', () => {
  expect(seenOf(() => ({ sentSound: 50, sound: wholeSound }))).toEqual([]);
});

test('a Kurento 7.3 that was given the light voice makes two packets of each', () => {
  // A second of a stored run: 100 received of 50 sent, 50 discarded, nothing played.
  const sound = {
    packetsReceived: 100,
    packetsLost: 0,
    packetsDiscarded: 50,
    concealedSamples: 0,
    totalSamples: 0,
    jitterMs: 20,
  };
  const changes = seenOf(() => ({ sentSound: 50, sound }));
  expect(kinds(changes)).toEqual(['1a audio multiplied', '1b audio multiplied']);
  expect(changes[0]?.text).toBe(
    'Of each packet of sound from 1b the media server makes 2: 1a received 100 a second of 50 sent, and discarded 50.',
  );
});

test('GStreamer’s own parser on the way through the embedded server: the same, with half of the sound made up', () => {
  const sound = {
    packetsReceived: 98,
    packetsLost: 0,
    packetsDiscarded: 51,
    concealedSamples: 30_720,
    totalSamples: 46_560,
    jitterMs: 19,
  };
  expect(kinds(seenOf(() => ({ sentSound: 49, sound })))).toEqual(['1a audio multiplied', '1b audio multiplied']);
});

test('packets that came whole and in time, and half of their sound missing, are the server’s doing', () => {
  const changes = seenOf(() => ({ sentSound: 50, sound: { ...wholeSound, concealedSamples: 23_520 } }));
  expect(changes[0]?.text).toBe(
    '49 % of the samples of the sound from 1b are missing at 1a, though their packets came whole and in time.',
  );
});

test('sound that is missing because packets were lost, late or discarded is no change of media', () => {
  const lost = { ...wholeSound, packetsReceived: 40, packetsLost: 10, concealedSamples: 14_000 };
  const late = { ...wholeSound, concealedSamples: 20_000, jitterMs: 80 };
  const thrownAway = { ...wholeSound, concealedSamples: 20_000, packetsDiscarded: 20 };
  const starved = { ...wholeSound, concealedSamples: 20_000, totalSamples: 30_000 };
  for (const sound of [lost, late, thrownAway, starved]) expect(seenOf(() => ({ sentSound: 50, sound }))).toEqual([]);
});

test('packets that are gone without a gap in their numbers are told, as pictures that no decoder takes, or that come twice', () => {
  const thin = { ...wholeSound, packetsReceived: 25, concealedSamples: 24_000 };
  expect(kinds(seenOf(() => ({ sentSound: 50, sound: thin })))).toEqual(['1a audio thinned', '1b audio thinned']);
  const broken = { ...wholePictures, framesDecoded: 15 };
  const twice = { ...wholePictures, framesReceived: 60, framesDecoded: 60 };
  const seen = (pictures: Received) => kinds(seenOf(() => ({ sentSound: 50, sound: wholeSound, pictures })));
  expect(seen(broken)).toEqual(['1a video undecoded', '1b video undecoded']);
  expect(seen(twice)).toEqual(['1a video multiplied', '1b video multiplied']);
});

test('who spoke up at an end of the window, which one side alone has counted, is no finding; half of all packets are', () => {
  const paused = withStates(oneToOne, { speech: 'p59' });
  // Rates of a real room: 31.5 of 21.7, and 4.67 of 9.44.
  const late = (received: number): Received => ({ ...wholeSound, packetsReceived: received });
  expect(seenOf(() => ({ sentSound: 21.7, sound: late(31.5) }), paused)).toEqual([]);
  expect(seenOf(() => ({ sentSound: 9.44, sound: late(4.67) }), paused)).toEqual([]);
  expect(kinds(seenOf(() => ({ sentSound: 50, sound: late(25) }), paused))).toHaveLength(2);
  expect(kinds(seenOf(() => ({ sentSound: 50, sound: late(100) }), paused))).toHaveLength(2);
});

test('what is not known is no finding', () => {
  expect(seenOf(() => ({ sentSound: 50, sound: { jitterMs: 1 } }))).toEqual([]);
  expect(seenOf(() => ({ sentSound: 50, sound: { packetsReceived: 50, packetsLost: 0 } }))).toEqual([]);
});

/**
 * A server that parses sound: this share of its packets becomes two, and this share of the samples is lost with them.
 */
function repacked(random: () => number, { doubled = 0, unplayed = 0, loss = 0 }): () => Second {
  const binomial = (n: number, p: number) => Array.from({ length: n }, () => random() < p).filter(Boolean).length;
  return () => {
    const sentSound = 49 + binomial(2, 0.5);
    const lost = binomial(sentSound, loss);
    const arrived = sentSound - lost + binomial(2, 0.5) - 1;
    const packetsReceived = arrived + binomial(arrived, doubled);
    const totalSamples = 47_520 + 480 * binomial(2, 0.5);
    const concealed = (share: number) => Math.round(totalSamples * share);
    const concealedSamples = Math.min(totalSamples, concealed(unplayed * (0.9 + 0.2 * random())) + 1500 * lost);
    const packetsDiscarded = Math.round((packetsReceived - arrived) * 0.9);
    const sound = {
      packetsReceived,
      packetsLost: lost,
      packetsDiscarded,
      concealedSamples,
      totalSamples,
      jitterMs: 1 + 9 * random(),
    };
    return { sentSound, sound };
  };
}

test(
  'a server that packs sound anew is found from a third of the packets on, in 99 % of seeds, and one that does not never is',
  both,
  () => {
    const runs = times(100, 2000);
    const found = (strength: Parameters<typeof repacked>[1]) =>
      Array.from({ length: runs }, (_, seed) => seenOf(repacked(seededRandom(seed + 1), strength))).filter(
        (changes) => changes.length > 0,
      ).length / runs;
    for (const doubled of [0.33, 0.6, 1]) expect(found({ doubled }), `doubled ${doubled}`).toBeGreaterThanOrEqual(0.99);
    for (const unplayed of [0.4, 0.7, 1])
      expect(found({ unplayed }), `unplayed ${unplayed}`).toBeGreaterThanOrEqual(0.99);
    for (const loss of [0, 0.01, 0.03, 0.08]) expect(found({ loss }), `loss ${loss}`).toBe(0);
    expect(found({ loss: 0.03, doubled: 0.6 })).toBeGreaterThanOrEqual(0.99);
  },
);
