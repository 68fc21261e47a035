import { expect } from '@playwright/test';
import type { Negotiate } from '../../model/signalling.js';
import { participant, pause, stream, test } from '../../tests/fleet-stage.js';

/** Encoding the clip of another ceiling for the first time takes a while. */
test.setTimeout(120_000);

const ceilingKbps = 250;
const measuredSeconds = 6;

/** The far end agrees to no REMB: it says nothing of how much it takes. */
function withoutRemb(negotiate: Negotiate): Negotiate {
  return async (request) => {
    const agreed = await negotiate(request);
    return { ...agreed, answer: agreed.answer.replace(/^a=rtcp-fb:\S+ goog-remb\r\n/gm, '') };
  };
}

// The clip of a smaller picture is encoded in a quarter of the time.
for (const [kind, size, options] of [
  ['a full', { width: 640, height: 360 }, {}],
  ['an encoded', { width: 320, height: 180 }, { encoded: { fullShare: 0 } }],
] as const) {
  test(`${kind} probe keeps its video under the ceiling where the server tells no cap, and says what held it`, async ({
    probes,
  }) => {
    const media = { ...size, framesPerSecond: 30, videoKbps: ceilingKbps, videoCodec: 'VP8' } as const;
    await probes.withServer({}, ({ negotiate }) =>
      probes.withFleet({ ...options, media }, async ({ fleet, samples, join }) => {
        await join([participant('1a')], withoutRemb(negotiate));
        await pause(12_000);
        const own = samples.filter(({ probe }) => probe === '1a').slice(-measuredSeconds);
        const sentMs = own.reduce((sum, { intervalMs }) => sum + intervalMs, 0);
        const bytes = own.reduce((sum, one) => sum + (stream(one, 'send', 'video').metrics.bytesSent ?? 0), 0);
        const kbps = (bytes * 8) / sentMs;
        expect(kbps).toBeLessThan(1.1 * ceilingKbps);
        expect(kbps).toBeGreaterThan(0.7 * ceilingKbps);
        const estimate = own.at(-1)?.legs[0]?.availableOutgoingKbps ?? Number.POSITIVE_INFINITY;
        expect(estimate, 'what is written in the description ends the estimate, too').toBeLessThan(ceilingKbps + 30);
        expect(fleet.records()[0]?.rates).toEqual([
          { leg: '1a', feedback: ['transport-cc'], writtenKbps: ceilingKbps + 23 },
        ]);
      }),
    );
  });
}
