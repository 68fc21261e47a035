import { expect, test } from '@playwright/test';
import { percentLost } from '../../../analysis/measure/loss.js';
import { LossTracker } from '../../../analysis/measure/loss-spans.js';
import type { StatsEntry, StatsReport } from '../stats-report.js';
import { streamSamples } from '../stream-samples.js';
import { SentLayers } from './sent-layers.js';

interface Layer {
  readonly rid: string;
  readonly height: number;
  readonly packets: number;
  readonly frames: number;
}

function report(layers: readonly Layer[], mid = '0'): StatsReport {
  const entries = layers.map(
    ({ rid, height, packets, frames }): StatsEntry => ({
      id: `O${mid}${rid}`,
      type: 'outbound-rtp',
      timestamp: 1,
      kind: 'video',
      mid,
      rid,
      frameHeight: height,
      packetsSent: packets,
      bytesSent: packets * 1000,
      framesSent: frames,
      remoteId: `R${rid}`,
    }),
  );
  return new Map(entries.map((entry) => [entry.id, entry]));
}

const of = (found: StatsReport): StatsEntry | undefined => [...found.values()].find(({ kind }) => kind === 'video');
const figures = (found: StatsReport) => {
  const { id, frameHeight, packetsSent, framesSent } = of(found) ?? {};
  return { id, frameHeight, packetsSent, framesSent };
};

test('the layers of a stream are one: packets add up, frames are those of the fastest, the size is the largest that is sent', () => {
  const layers = new SentLayers();
  const low = { rid: 'l', height: 180 };
  const high = { rid: 'h', height: 720 };
  const at = (lowPackets: number, highPackets: number, lowFrames: number, highFrames: number) =>
    figures(
      layers.merged(
        report([
          { ...low, packets: lowPackets, frames: lowFrames },
          { ...high, packets: highPackets, frames: highFrames },
        ]),
      ),
    );
  expect(at(10, 100, 30, 30)).toEqual({ id: 'layers-of-0', frameHeight: 720, packetsSent: 110, framesSent: 30 });
  expect(at(20, 200, 60, 60)).toEqual({ id: 'layers-of-0', frameHeight: 720, packetsSent: 220, framesSent: 60 });
  // The upper one is switched off, and on again: nothing goes back, and nothing is counted twice.
  expect(at(30, 200, 90, 60)).toEqual({ id: 'layers-of-0', frameHeight: 180, packetsSent: 230, framesSent: 90 });
  expect(at(40, 300, 120, 90)).toEqual({ id: 'layers-of-0', frameHeight: 720, packetsSent: 340, framesSent: 120 });
});

test('a stream without layers stays as it is, and of several of a kind it is the one that has sent most', () => {
  const layers = new SentLayers();
  const camera = report([{ rid: '', height: 360, packets: 50, frames: 30 }], '1');
  const screen = report([{ rid: '', height: 1080, packets: 500, frames: 5 }], '2');
  const both = layers.merged(new Map([...camera, ...screen]));
  expect([...both.keys()]).toEqual(['O2']);
  expect(of(both)).toBe(screen.get('O2'));
});

/** Layers of 20, 60 and 150 packets a second that lose 5 % each; each layer is reported on in these seconds. */
function lossOf(isReported: (layer: number, second: number) => boolean): number | undefined {
  const [layers, tracker] = [new SentLayers(), new LossTracker()];
  const rates = [20, 60, 150];
  const seen = rates.map(() => ({ packets: 0, atMs: 0 }));
  let last: StatsReport | undefined;
  const spans = Array.from({ length: 60 }, (_, second) => {
    const atMs = 1000 * (second + 1);
    const entries = rates.flatMap((rate, nth): StatsEntry[] => {
      const [packetsSent, remoteId] = [rate * (second + 1), `R${nth}`];
      if (isReported(nth, second)) seen[nth] = { packets: packetsSent, atMs };
      const { packets = 0, atMs: timestamp = 0 } = seen[nth] ?? {};
      const stream = {
        kind: 'video',
        mid: '0',
        frameHeight: 180 * 2 ** nth,
        packetsSent,
        bytesSent: packetsSent,
        remoteId,
      };
      const remote = { id: remoteId, type: 'remote-inbound-rtp', timestamp, kind: 'video', packetsLost: packets / 20 };
      return [{ id: `O${nth}`, type: 'outbound-rtp', timestamp: atMs, ...stream }, ...(packets > 0 ? [remote] : [])];
    });
    const report = layers.merged(new Map(entries.map((entry) => [entry.id, entry])));
    const leg = { id: '1a', sends: ['video'], receives: [] } as const;
    const [stream] = streamSamples(leg, last, report, { ageMs: atMs });
    last = report;
    return tracker.add({ atMs, intervalMs: 1000, stream });
  });
  const all = [...spans.flat(), ...tracker.end()];
  const sum = (of: 'lost' | 'expected') => all.reduce((total, span) => total + span[of], 0);
  return percentLost({ lost: sum('lost'), expected: sum('expected') });
}

test('loss of layers that lose 5 % each is 5 % of the stream, whether they are reported on at once or in turn', () => {
  expect(lossOf(() => true)).toBeCloseTo(5, 9);
  expect(lossOf((layer, second) => second % 3 === layer)).toBeCloseTo(5, 0);
});

test('a layer on which no report comes does not keep back those of others', () => {
  expect(lossOf((layer) => layer > 0)).toBeCloseTo((5 * 210) / 230, 0);
});
