import { createHash, createHmac } from 'node:crypto';

/** An offer as Chromium writes it, shortened: audio and video, bundled, with every kind of line that is read. */
export const offerSeed = [
  'v=0',
  'o=- 4611731400430051336 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0 1',
  'a=extmap-allow-mixed',
  'a=msid-semantic: WMS s',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 0 8',
  'c=IN IP4 0.0.0.0',
  'a=rtcp:9 IN IP4 0.0.0.0',
  'a=ice-ufrag:EsAw',
  'a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1',
  'a=ice-options:trickle',
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
  'a=setup:actpass',
  'a=mid:0',
  'a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
  'a=sendrecv',
  'a=msid:s a',
  'a=rtcp-mux',
  'a=rtpmap:111 opus/48000/2',
  'a=rtcp-fb:111 transport-cc',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'a=ssrc:3570614608 cname:4TOk42mSjXCkVIa6',
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97 102',
  'c=IN IP4 0.0.0.0',
  'a=ice-ufrag:EsAw',
  'a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1',
  'a=setup:actpass',
  'a=mid:1',
  'a=sendrecv',
  'a=rtcp-mux',
  'a=rtcp-rsize',
  'a=rtpmap:96 VP8/90000',
  'a=rtcp-fb:96 goog-remb',
  'a=rtcp-fb:96 nack pli',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
  'a=rtpmap:102 H264/90000',
  'a=ssrc-group:FID 2231627014 632943048',
  'a=ssrc:2231627014 cname:4TOk42mSjXCkVIa6',
  '',
].join('\r\n');

const magic = 0x2112a442;

/** STUN messages (RFC 8489): binding request with the attributes of ICE, a response, an error, an indication. */
export function stunSeeds(ufrag: string, password: string): Buffer[] {
  const attributes = [
    stunAttribute(0x0006, Buffer.from(`${ufrag}:EsAw`)),
    stunAttribute(0x0024, Buffer.from([0x6e, 0, 0x1e, 0xff])),
    stunAttribute(0x8029, Buffer.alloc(8, 7)),
    stunAttribute(0x0025, Buffer.alloc(0)),
  ];
  const plain = stunMessage(0x0001, attributes);
  const key = createHmac('sha1', password).update(plain).digest();
  return [
    plain,
    stunMessage(0x0001, [...attributes, stunAttribute(0x0008, key), stunAttribute(0x8028, Buffer.alloc(4))]),
    stunMessage(0x0101, [stunAttribute(0x0020, Buffer.from([0, 1, 0x21, 0x13, 0x5e, 0x12, 0xa4, 0x43]))]),
    stunMessage(0x0111, [stunAttribute(0x0009, Buffer.from([0, 0, 4, 87, 114, 111, 108, 101]))]),
    stunMessage(0x0011, []),
    stunMessage(0x0003, [stunAttribute(0x0019, Buffer.from([17, 0, 0, 0]))]),
  ];
}

function stunMessage(type: number, attributes: readonly Buffer[]): Buffer {
  const body = Buffer.concat(attributes);
  const header = Buffer.alloc(20);
  header.writeUInt16BE(type, 0);
  header.writeUInt16BE(body.length, 2);
  header.writeUInt32BE(magic, 4);
  createHash('sha1').update(body).digest().copy(header, 8, 0, 12);
  return Buffer.concat([header, body]);
}

function stunAttribute(type: number, value: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16BE(type, 0);
  header.writeUInt16BE(value.length, 2);
  return Buffer.concat([header, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

/** DTLS 1.2 records (RFC 6347): every handshake message that a peer can send, an alert, change cipher, data. */
export function dtlsSeeds(): Buffer[] {
  const hello = Buffer.concat([
    Buffer.from([0xfe, 0xfd]),
    Buffer.alloc(32, 3),
    Buffer.from([0, 0]),
    Buffer.from([0, 4, 0xc0, 0x2b, 0xc0, 0x2f, 1, 0]),
    Buffer.from([0, 9, 0, 14, 0, 5, 0, 2, 0, 1, 0]),
  ]);
  const serverHello = Buffer.concat([
    Buffer.from([0xfe, 0xfd]),
    Buffer.alloc(32, 5),
    Buffer.from([0, 0xc0, 0x2b, 0, 0, 0]),
  ]);
  const bodies: readonly (readonly [number, Buffer])[] = [
    [1, hello],
    [2, serverHello],
    [3, Buffer.from([0xfe, 0xff, 8, 1, 2, 3, 4, 5, 6, 7, 8])],
    [11, Buffer.concat([Buffer.from([0, 0, 23, 0, 0, 20]), Buffer.alloc(20, 0x30)])],
    [12, Buffer.concat([Buffer.from([3, 0, 29, 32]), Buffer.alloc(32, 9), Buffer.from([4, 3, 0, 4, 1, 1, 1, 1])])],
    [13, Buffer.from([1, 64, 0, 2, 4, 3, 0, 0])],
    [14, Buffer.alloc(0)],
    [20, Buffer.alloc(12, 1)],
  ];
  const handshakes = bodies.map(([type, body], sequence) => record(22, handshake(type, sequence, body)));
  return [
    ...handshakes,
    record(20, Buffer.from([1])),
    record(21, Buffer.from([2, 40])),
    record(23, Buffer.alloc(40, 8)),
  ];
}

function handshake(type: number, sequence: number, body: Buffer): Buffer {
  const header = Buffer.alloc(12);
  header[0] = type;
  header.writeUIntBE(body.length, 1, 3);
  header.writeUInt16BE(sequence, 4);
  header.writeUIntBE(body.length, 9, 3);
  return Buffer.concat([header, body]);
}

function record(type: number, body: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header[0] = type;
  header.writeUInt16BE(0xfefd, 1);
  header.writeUInt16BE(body.length, 11);
  return Buffer.concat([header, body]);
}

/** RTCP: every type that is read, and one that is not (RFC 3550, 4585, 5104, REMB). */
export function rtcpSeeds(): Buffer[] {
  const packet = (type: number, count: number, words: readonly number[]) => {
    const out = Buffer.alloc(4 + 4 * words.length);
    out[0] = 0x80 | count;
    out[1] = type;
    out.writeUInt16BE(words.length, 2);
    for (const [index, word] of words.entries()) out.writeUInt32BE(word >>> 0, 4 + 4 * index);
    return out;
  };
  const report = [0x1111, 0x01000002, 70_000, 90, 0x12345678, 0x10000];
  return [
    packet(200, 1, [0x1234, 3_900_000_000, 5, 90_000, 100, 10_000, ...report]),
    packet(201, 2, [0x1234, ...report, ...report]),
    packet(202, 1, [0x1234, 0x01046162, 0x63640000]),
    packet(203, 1, [0x1234]),
    packet(205, 1, [0x1234, 0x5678, 0x0001ffff, 0xfff0ffff]),
    packet(205, 15, [0x1234, 0x5678, 0x00010002, 0x00000100, 0x20020000]),
    packet(206, 1, [0x1234, 0x5678]),
    packet(206, 4, [0x1234, 0x5678, 0x5678, 0x01000000]),
    packet(206, 15, [0x1234, 0, 0x52454d42, 0x01044e20, 0x5678]),
    packet(207, 0, [0x1234]),
  ];
}
