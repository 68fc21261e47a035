import { expect, test } from '@playwright/test';
import { writeRtpHeader } from '../../rtp/rtp.js';
import { readWhole } from './description.js';
import { ReceivedPacket } from './received-packet.js';
import { type AgreedSection, ReceivedSections } from './received-sections.js';

const head = [
  'v=0',
  'o=- 1 1 IN IP4 192.0.2.2',
  's=VideoRoom 1',
  't=0 0',
  'a=group:BUNDLE 0 1 2 3',
  'a=fingerprint:sha-256 CA:EB',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:a-password-of-22-chars',
];
const mid4 = 'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid';
const audio = ['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=rtpmap:111 opus/48000/2'];
const video = [
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97',
  'a=rtpmap:96 VP8/90000',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
];
/** As a Janus 1.1.2 offers a room of three: sound and picture of two. */
const janusOffer = (extension: readonly string[] = [mid4]): string =>
  [
    ...head,
    ...[...audio, 'a=mid:0', 'a=sendonly', ...extension, 'a=ssrc:100 cname:janus'],
    ...[
      ...video,
      'a=mid:1',
      'a=sendonly',
      ...extension,
      'a=ssrc-group:FID 101 201',
      'a=ssrc:101 cname:janus',
      'a=ssrc:201 cname:janus',
    ],
    ...[...audio, 'a=mid:2', 'a=sendonly', ...extension, 'a=ssrc:102 cname:janus'],
    ...[
      ...video,
      'a=mid:3',
      'a=sendonly',
      ...extension,
      'a=ssrc-group:FID 103 203',
      'a=ssrc:103 cname:janus',
      'a=ssrc:203 cname:janus',
    ],
  ].join('\r\n');

const sectionsIn = (sdp: string): readonly AgreedSection[] => {
  const named = new Map([
    ['0', '1b'],
    ['1', '1b'],
    ['2', '1c'],
    ['3', '1c'],
  ]);
  return readWhole(sdp).media.map((one) => ({ ...one, stream: named.get(one.mid) }));
};

function packet(ssrc: number, payloadType: number, mid?: string): ReceivedPacket {
  const header = writeRtpHeader({
    ...{ ssrc, payloadType, marker: false, padding: false, sequenceNumber: 1, timestamp: 1, nowMs: 0 },
    absSendTimeId: undefined,
  });
  const element = Buffer.alloc(mid === undefined ? 0 : 4 * Math.ceil((1 + mid.length) / 4));
  if (mid !== undefined) {
    element[0] = (4 << 4) | (mid.length - 1);
    element.write(mid, 1, 'latin1');
    header[0] = (header[0] ?? 0) | 0x10;
  }
  const extension = Buffer.from([0xbe, 0xde, 0, element.length / 4]);
  const bytes = Buffer.concat([header, ...(mid === undefined ? [] : [extension, element]), Buffer.alloc(8)]);
  const read = new ReceivedPacket();
  if (!read.read(bytes, bytes.length)) throw new Error('the packet is no RTP');
  return read;
}

const midOf = (sections: ReceivedSections, ...of: Parameters<typeof packet>) => sections.of(packet(...of))?.mid;

test('a packet is of the section that its mid names, else of the one whose SSRC it has, what is sent again, too', () => {
  const sections = new ReceivedSections();
  sections.agree(sectionsIn(janusOffer()));
  expect([midOf(sections, 101, 96), midOf(sections, 103, 96), midOf(sections, 203, 97)]).toEqual(['1', '3', '3']);
  // By its mid, though no description names its SSRC; and from then on by that.
  expect([midOf(sections, 7, 96), midOf(sections, 7, 96, '3'), midOf(sections, 7, 96)]).toEqual([undefined, '3', '3']);
  // An SSRC that goes over to another section.
  expect([midOf(sections, 101, 96, '3'), midOf(sections, 101, 96)]).toEqual(['3', '3']);
  // A section that nobody has agreed on.
  expect(midOf(sections, 103, 96, '17')).toBeUndefined();
});

test('without either, a payload type of one section alone says it, and one of several nothing', () => {
  const sections = new ReceivedSections();
  const all = sectionsIn(janusOffer([]).replaceAll(/a=ssrc.*\r\n/g, ''));
  sections.agree(all);
  expect([midOf(sections, 9, 96), midOf(sections, 9, 111)]).toEqual([undefined, undefined]);
  sections.agree(all.slice(0, 2));
  expect([midOf(sections, 8, 96), midOf(sections, 9, 97), midOf(sections, 10, 111)]).toEqual(['1', '1', '0']);
  // What was told apart so stays so when a section more would leave it open.
  sections.agree(all);
  expect([midOf(sections, 8, 96), midOf(sections, 11, 96)]).toEqual(['1', undefined]);
});

test('a further description keeps what goes on, and ends what rests or is of somebody else now', () => {
  const sections = new ReceivedSections();
  const before = sectionsIn(janusOffer());
  sections.agree(before);
  const closed: string[] = [];
  for (const one of sections.all) one.received = { close: () => closed.push(one.mid) } as never;
  const [first, second] = sections.all;
  sections.agree(
    before.map((one) => (one.mid === '3' ? { ...one, stream: '1d' } : one)).filter(({ mid }) => mid !== '2'),
  );
  expect(closed).toEqual(['2', '3']);
  expect(sections.all.map(({ mid, received }) => [mid, received !== undefined])).toEqual([
    ['0', true],
    ['1', true],
    ['3', false],
  ]);
  expect([sections.all[0] === first, sections.all[1] === second]).toEqual([true, true]);
  // What still comes of it is not of the one sound that is left.
  expect([midOf(sections, 102, 111), midOf(sections, 103, 96)]).toEqual([undefined, '3']);
});

test('a stream that came before it was described is of the section that describes it', () => {
  const sections = new ReceivedSections();
  const all = sectionsIn(janusOffer([]));
  // LiveKit begins with a section of each kind that nobody has yet.
  sections.agree(all.slice(2).map((one) => ({ ...one, ssrcs: [], stream: undefined })));
  expect(midOf(sections, 100, 111)).toBe('2');
  const closed: string[] = [];
  const [early] = sections.all;
  if (early) early.received = { counts: { ssrc: 100 }, close: () => closed.push(early.mid) } as never;
  sections.agree(all);
  expect(midOf(sections, 100, 111)).toBe('0');
  expect(closed).toEqual(['2']);
});

test('what is learned is bounded: a sender of ever new SSRCs costs no more memory', () => {
  const sections = new ReceivedSections();
  sections.agree(sectionsIn(janusOffer()));
  for (let ssrc = 1000; ssrc < 3000; ssrc += 1) expect(midOf(sections, ssrc, 96, '1')).toBe('1');
  expect([midOf(sections, 1000, 96), midOf(sections, 2999, 96)]).toEqual([undefined, '1']);
});
