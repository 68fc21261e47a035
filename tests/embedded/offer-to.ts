import { z } from 'zod';
import type { TestClient } from './test-client.js';

const eventSchema = z.object({
  candidate: z.object({ candidate: z.string(), sdpMid: z.string(), sdpMLineIndex: z.number() }),
});

const watchedEvents = [
  'IceCandidateFound',
  'IceGatheringDone',
  'IceComponentStateChanged',
  'NewCandidatePairSelected',
  'ConnectionStateChanged',
  'MediaStateChanged',
  'MediaFlowInStateChanged',
  'MediaFlowOutStateChanged',
  'MediaTranscodingStateChanged',
  'Error',
] as const;

interface Answered {
  readonly answer: string;
  /** Where the server is. */
  readonly candidates: readonly z.infer<typeof eventSchema>['candidate'][];
}

/** Makes an offer to an endpoint of an embedded server, from then on watching all that it tells. */
export async function offerTo(client: TestClient, endpoint: string, offer: string): Promise<Answered> {
  for (const type of watchedEvents) await client.call('subscribe', { object: endpoint, type });
  const answer = z.string().parse(await client.invoke(endpoint, 'processOffer', { offer }));
  await client.invoke(endpoint, 'gatherCandidates');
  await client.waitForEvent('IceGatheringDone', endpoint);
  const found = client.eventsOf('IceCandidateFound', endpoint);
  return { answer, candidates: found.map((event) => eventSchema.parse(event).candidate) };
}
