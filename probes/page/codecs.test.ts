import { expect, test } from '@playwright/test';
import { offeredCodecs } from './codecs.js';

/** Of what a Chromium says that it receives. */
const known: Readonly<Record<string, readonly Partial<RTCRtpCodec>[]>> = {
  audio: [
    { mimeType: 'audio/red', sdpFmtpLine: '111/111' },
    { mimeType: 'audio/opus' },
    { mimeType: 'audio/telephone-event' },
  ],
  video: ['VP8', 'rtx', 'VP9', 'red', 'ulpfec', 'flexfec-03'].map((name) => ({ mimeType: `video/${name}` })),
};

test('neither redundancy nor forward error correction is offered: Opus alone, and the one video codec with its resending', () => {
  Object.assign(globalThis, { RTCRtpReceiver: { getCapabilities: (kind: string) => ({ codecs: known[kind] }) } });
  const offered = (['audio', 'video'] as const).map((kind) =>
    offeredCodecs(kind, 'VP8').map(({ mimeType }) => mimeType),
  );
  expect(offered).toEqual([['audio/opus'], ['video/VP8', 'video/rtx']]);
});
