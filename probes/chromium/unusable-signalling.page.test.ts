import { expect } from '@playwright/test';
import type { Negotiate } from '../../model/signalling.js';
import { failureCodes, participant, test } from '../../tests/fleet-stage.js';
import { soon } from '../../tests/soon.js';

/** The parts of an SDP: what stands before the first media section, and each section. */
const sectionsOf = (sdp: string): readonly string[] => sdp.split(/(?=^m=)/m);

const garbage = { candidate: 'candidate:1 1 udp not a candidate at all', sdpMid: '0', sdpMLineIndex: 0 };

test('an answer or a candidate that the browser cannot apply fails its probe in the words of the browser, and no page', async ({
  probes,
}) => {
  await probes.withServer({}, ({ negotiate }) =>
    probes.withFleet({}, async ({ fleet, join }) => {
      const spoiled: Readonly<Record<string, Negotiate>> = {
        garbage: async () => ({ answer: 'this is no SDP', addCandidate: async () => undefined }),
        swapped: async (request) => {
          const agreed = await negotiate(request);
          const [head = '', ...media] = sectionsOf(agreed.answer);
          return { ...agreed, answer: [head, ...media.reverse()].join('') };
        },
        shortened: async (request) => {
          const agreed = await negotiate(request);
          return { ...agreed, answer: sectionsOf(agreed.answer).slice(0, 2).join('') };
        },
        early: async (request) => {
          request.onCandidate(garbage);
          return negotiate({ ...request, onCandidate: () => undefined });
        },
      };
      const people = [...Object.keys(spoiled), 'fine'].map((id) => participant(id));
      const negotiation: Negotiate = (request) => (spoiled[request.participant.id] ?? negotiate)(request);
      await join(people, negotiation, 6_000);
      expect(failureCodes(fleet)).toEqual({
        garbage: ['signalling-unusable'],
        swapped: ['signalling-unusable'],
        shortened: ['signalling-unusable'],
        early: ['signalling-unusable'],
        fine: [],
      });
      const details = fleet.records().map(({ failures }) => failures[0]?.detail);
      expect(details[0]).toContain('Failed to parse SessionDescription');
      for (const detail of details.slice(1, 3)) expect(detail).toContain("Failed to execute 'setRemoteDescription'");
      expect(details[3]).toContain('ICE candidate');
    }),
  );
});

test('a candidate that cannot be applied is counted, too, when it comes after the probe was up', async ({ probes }) => {
  await probes.withServer({}, ({ negotiate }) =>
    probes.withFleet({}, async ({ fleet, join }) => {
      let tell: ((candidate: typeof garbage) => void) | undefined;
      await join([participant('1a')], (request) => {
        tell = request.onCandidate;
        return negotiate(request);
      });
      expect(failureCodes(fleet)).toEqual({ '1a': [] });
      tell?.(garbage);
      await soon(() => failureCodes(fleet)).toEqual({ '1a': ['signalling-unusable'] });
    }),
  );
});
