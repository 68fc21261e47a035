import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { expect, test } from '@playwright/test';
import { type Browser, chromium } from 'playwright-core';
import { long } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { findChromium } from '../chromium/find-chromium.js';

/**
 * What Chromium counts as lost when packets are sent again. Two connections of one page, and between them a hop of ours
 * that drops RTP of the first one and counts it by its SSRC (RFC 3550 5.1). With RTX (RFC 4588) resent packets, and
 * padding that probes for bandwidth, have an SSRC of their own; the count of lost packets never falls. Without it they
 * come under their old numbers, and it does.
 */
const lossShare = 0.05;
const delayMs = 20;
const runMs = 12_000;

interface Hop {
  readonly port: number;
  /** RTP packets by SSRC, and those of them that were dropped. */
  readonly seen: ReadonlyMap<number, { readonly packets: number; readonly dropped: number }>;
  leadTo(address: string, port: number): void;
  close(): void;
}

type Counts = Readonly<Record<string, number | string | undefined>>;

interface Call {
  readonly outbound: Counts;
  readonly inbound: Counts;
  readonly remote: Counts;
}

let browser: Browser;
test.beforeAll(async () => {
  const found = await findChromium({ env: process.env });
  if (!found) throw new Error('no Chromium');
  const args = ['--disable-features=WebRtcHideLocalIpsWithMdns', '--allow-loopback-in-peer-connection'];
  browser = await chromium.launch({ executablePath: found.path, chromiumSandbox: false, args });
});
test.afterAll(() => browser.close());

test(
  'with RTX the count of lost packets never falls, and what comes again is counted beside, padding with it',
  long,
  async () => {
    const { outbound, inbound, seen } = await callOver(true);
    const media = seen.get(num(outbound.ssrc));
    const again = seen.get(num(outbound.rtxSsrc));
    if (!media || !again) throw new Error('no RTP, or none on the SSRC for resending');
    near(num(inbound.packetsLost), media.dropped);
    near(num(inbound.retransmittedPacketsReceived), again.packets - again.dropped);
    near(num(inbound.packetsReceived) - num(inbound.retransmittedPacketsReceived), media.packets - media.dropped);
    expect(num(outbound.retransmittedPacketsSent)).toBeGreaterThan(0);
    expect(again.packets).toBeGreaterThanOrEqual(num(outbound.retransmittedPacketsSent));
  },
);

test(
  'without RTX packets that come again lower the count of lost ones, and nothing is counted beside',
  long,
  async () => {
    const { outbound, inbound, remote, seen } = await callOver(false);
    const media = seen.get(num(outbound.ssrc));
    if (!media) throw new Error('no RTP');
    expect(inbound.retransmittedPacketsReceived).toBeUndefined();
    expect(num(outbound.retransmittedPacketsSent)).toBeGreaterThan(0);
    expect(num(inbound.packetsLost)).toBeLessThan(media.dropped);
    near(num(outbound.packetsSent), media.packets);
    near(
      num(inbound.packetsReceived) + num(inbound.packetsLost),
      num(outbound.packetsSent) - num(outbound.retransmittedPacketsSent),
    );
    expect(outbound.rtxSsrc, 'given although the answer had no RTX: it does not tell').toBeDefined();
    expect(remote.packetsReceived, 'no exact count of what a report covers').toBeUndefined();
  },
);

function num(value: number | string | undefined): number {
  if (typeof value !== 'number') throw new Error(`no number: ${value}`);
  return value;
}

/** Nothing is under way any more when both ends are read; a last packet that was dropped leaves no gap to be seen. */
function near(value: number, expected: number): void {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(5);
}

async function callOver(rtx: boolean): Promise<Call & Pick<Hop, 'seen'>> {
  const hop = await startHop();
  const page = await browser.newPage();
  try {
    await page.exposeFunction('leadTo', (address: string, port: number) => hop.leadTo(address, port));
    await page.addScriptTag({ content: callScript });
    const call = await page.evaluate((order) => playCall(order), { port: hop.port, rtx, runMs });
    return { ...call, seen: hop.seen };
  } finally {
    await page.close();
    hop.close();
  }
}

async function startHop(): Promise<Hop> {
  const random = randomFrom(15);
  const [near, far] = [await bound(), await bound()];
  const seen = new Map<number, { packets: number; dropped: number }>();
  let sender: Pick<RemoteInfo, 'address' | 'port'> | undefined;
  let receiver: Pick<RemoteInfo, 'address' | 'port'> | undefined;
  const pass = (from: Socket, to: Pick<RemoteInfo, 'address' | 'port'> | undefined, packet: Buffer) => {
    if (to) setTimeout(() => from.send(packet, to.port, to.address), delayMs);
  };
  near.on('message', (packet, from) => {
    sender = from;
    if (isRtp(packet)) {
      const count = seen.get(packet.readUInt32BE(8)) ?? { packets: 0, dropped: 0 };
      seen.set(packet.readUInt32BE(8), count);
      count.packets += 1;
      if (random() < lossShare) {
        count.dropped += 1;
        return;
      }
    }
    pass(far, receiver, packet);
  });
  far.on('message', (packet) => pass(near, sender, packet));
  return {
    port: near.address().port,
    seen,
    leadTo: (address, port) => {
      receiver = { address, port };
    },
    close: () => {
      // What is still under way finds its socket gone.
      setTimeout(() => [near, far].map((socket) => socket.close()), 2 * delayMs);
    },
  };
}

/** RTP and RTCP share a port (RFC 5761 4): RTCP has the types 192 to 223 where RTP has marker and payload type. */
function isRtp(packet: Buffer): boolean {
  const [first = 0, second = 0] = packet;
  return first >= 128 && first < 192 && (second < 192 || second > 223);
}

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '0.0.0.0', resolve));
  return socket;
}

/** Plain JavaScript of the page: two connections, whose way from one to the other is the hop. */
const callScript = `
  async function playCall({ port, rtx, runMs }) {
    const [sender, receiver] = [new RTCPeerConnection(), new RTCPeerConnection()];
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
    const pen = canvas.getContext('2d');
    setInterval(() => {
      for (let spot = 0; spot < 100; spot += 1) {
        pen.fillStyle = 'hsl(' + 360 * Math.random() + ' 90% 50%)';
        pen.fillRect(640 * Math.random(), 360 * Math.random(), 50, 50);
      }
    }, 33);
    const [track] = canvas.captureStream(30).getVideoTracks();
    const transceiver = sender.addTransceiver(track, { direction: 'sendonly' });
    const { codecs } = RTCRtpSender.getCapabilities('video');
    transceiver.setCodecPreferences(codecs.filter(({ mimeType }) => /vp8|rtx/i.test(mimeType)));
    receiver.onicecandidate = async ({ candidate }) => {
      if (candidate?.protocol !== 'udp' || !candidate.address.includes('.')) return;
      await leadTo(candidate.address, candidate.port);
      const throughHop = candidate.candidate.split(' ').with(5, port).join(' ');
      await sender.addIceCandidate({ candidate: throughHop, sdpMid: candidate.sdpMid });
    };
    const plain = (sdp) => {
      const lines = sdp.split('\\r\\n').filter((line) => !line.startsWith('a=candidate'));
      if (rtx) return lines.join('\\r\\n');
      const types = lines.flatMap((line) => /^a=rtpmap:(\\d+) rtx/.exec(line)?.[1] ?? []);
      const ofRtx = (line) =>
        line.startsWith('a=ssrc-group:FID') || types.some((type) => line.match('^a=(rtpmap|fmtp):' + type + ' '));
      const without = (line) =>
        line.startsWith('m=') ? line.split(' ').filter((word, at) => at < 3 || !types.includes(word)).join(' ') : line;
      return lines.filter((line) => !ofRtx(line)).map(without).join('\\r\\n');
    };
    await sender.setLocalDescription();
    await receiver.setRemoteDescription({ type: 'offer', sdp: plain(sender.localDescription.sdp) });
    const answer = await receiver.createAnswer();
    await sender.setRemoteDescription({ type: 'answer', sdp: plain(answer.sdp) });
    await receiver.setLocalDescription(answer);
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    await pause(runMs);
    const parameters = transceiver.sender.getParameters();
    parameters.encodings[0].active = false;
    await transceiver.sender.setParameters(parameters);
    await pause(2000);
    const read = async (connection, type) => [...(await connection.getStats()).values()].find((one) => one.type === type) ?? {};
    const [outbound, remote] = [await read(sender, 'outbound-rtp'), await read(sender, 'remote-inbound-rtp')];
    return { outbound, remote, inbound: await read(receiver, 'inbound-rtp') };
  }
`;

declare function playCall(order: {
  readonly port: number;
  readonly rtx: boolean;
  readonly runMs: number;
}): Promise<Call>;
