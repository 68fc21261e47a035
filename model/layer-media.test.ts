import { expect, test } from '@playwright/test';
import { layerMedia } from './layer.js';

/** What a browser sent of three layers, kbit/s (Chromium 156, on LiveKit, Janus and the embedded server). */
const sent = [
  { width: 1280, height: 720, videoKbps: 2500, kbps: [145, 484, 1642] },
  { width: 1280, height: 720, videoKbps: 1500, kbps: [116, 348] },
  { width: 960, height: 540, videoKbps: 1500, kbps: [115, 338, 987] },
  { width: 960, height: 540, videoKbps: 1000, kbps: [77, 232] },
];

for (const { kbps, ...media } of sent) {
  test(`layers of ${media.width} by ${media.height} under ${media.videoKbps} kbit/s are as a browser sends them`, () => {
    const made = layerMedia({ ...media, simulcast: { rids: ['l', 'm', 'h'] } });
    for (const [nth, seen] of kbps.entries())
      expect(Math.abs((made[nth]?.videoKbps ?? 0) / seen - 1), `${made[nth]?.videoKbps} beside ${seen}`).toBeLessThan(
        0.035,
      );
  });
}
