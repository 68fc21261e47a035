import { expect, test } from '@playwright/test';
import type { StatsEntry, StatsReport } from '../stats-report.js';
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
