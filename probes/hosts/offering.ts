import { z } from 'zod';
import { jsonIn } from '../../model/json-text.js';
import type { Bus } from './bus.js';

/** A service of the NATS services framework (ADR-32): its clients discover, ping and count ours. */
interface OfferedService {
  readonly name: string;
  readonly id: string;
  readonly version: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly endpoints: readonly ServiceEndpoint[];
}

interface ServiceEndpoint {
  readonly name: string;
  readonly subject: string;
  readonly answered: (text: string) => Promise<string>;
}

interface FoundService {
  readonly id: string;
  readonly facts: Readonly<Record<string, string>>;
}

interface Count {
  requests: number;
  errors: number;
  workedNs: number;
}

const verbs = ['PING', 'INFO', 'STATS'] as const;
const typeOf = (verb: (typeof verbs)[number]) => `io.nats.micro.v1.${verb.toLowerCase()}_response`;

/** Answers on the endpoints, and to whoever asks what is there. Returns what ends it. */
export function offerService(bus: Bus, { name, id, version, facts, endpoints }: OfferedService): () => void {
  const started = new Date().toISOString();
  const counts = new Map(endpoints.map((one) => [one.name, { requests: 0, errors: 0, workedNs: 0 }]));
  const identity = { name, id, version, metadata: facts };
  const said = {
    PING: () => ({}),
    INFO: () => ({
      description: 'a host that plays probes of Loadline',
      endpoints: endpoints.map((one) => ({ name: one.name, subject: one.subject, queue_group: '', metadata: {} })),
    }),
    STATS: () => ({ started, endpoints: endpoints.map((one) => statsOf(one, counts.get(one.name))) }),
  };
  const stops = [
    ...verbs.flatMap((verb) =>
      ['', `.${name}`, `.${name}.${id}`].map((whom) =>
        bus.answer(`$SRV.${verb}${whom}`, async () =>
          JSON.stringify({ type: typeOf(verb), ...identity, ...said[verb]() }),
        ),
      ),
    ),
    ...endpoints.map(({ name: endpoint, subject, answered }) =>
      bus.answer(subject, (text) => counted(counts.get(endpoint), () => answered(text))),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

const pingSchema = z.object({ id: z.string(), metadata: z.record(z.string(), z.string()).nullish() });

/** The services of this name that answer within the time. */
export async function findServices(bus: Bus, name: string, withinMs: number): Promise<readonly FoundService[]> {
  const answers = await bus.askAll(`$SRV.PING.${name}`, '', withinMs);
  return answers.flatMap((text) => {
    const read = pingSchema.safeParse(jsonIn(text));
    return read.success ? [{ id: read.data.id, facts: read.data.metadata ?? {} }] : [];
  });
}

async function counted(count: Count | undefined, work: () => Promise<string>): Promise<string> {
  const beganMs = performance.now();
  try {
    return await work();
  } catch (error) {
    if (count) count.errors += 1;
    throw error;
  } finally {
    if (count) {
      count.requests += 1;
      count.workedNs += Math.round((performance.now() - beganMs) * 1e6);
    }
  }
}

function statsOf({ name, subject }: ServiceEndpoint, { requests, errors, workedNs }: Count = none) {
  return {
    name,
    subject,
    queue_group: '',
    num_requests: requests,
    num_errors: errors,
    processing_time: workedNs,
    average_processing_time: requests === 0 ? 0 : Math.round(workedNs / requests),
  };
}

const none: Count = { requests: 0, errors: 0, workedNs: 0 };
