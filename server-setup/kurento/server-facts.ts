import { z } from 'zod';
import type { ServerFacts } from '../../model/run.js';
import { isThisHost } from '../host-address.js';
import { type KurentoCalls, serverManagerId } from './kurento-calls.js';
import type { KurentoInfo } from './kurento-info.js';
import { findServerPid } from './resources.js';
import type { parseServerUrl } from './server-url.js';

const metadataSchema = z.object({ server: z.literal('loadline-embedded'), version: z.string().optional() });

export interface Place {
  readonly url: string;
  readonly address: ReturnType<typeof parseServerUrl>;
  /** Its process, when it is known already. */
  readonly pid?: number;
}

/** What is there, where it runs, and what it can do. */
export async function findFacts(calls: KurentoCalls, info: KurentoInfo, place: Place): Promise<ServerFacts> {
  const { url, address } = place;
  const metadata = await calls.invoke(serverManagerId, 'getMetadata', {}, z.string());
  const embedded = metadataSchema.safeParse(parseJson(metadata));
  const kind = embedded.success ? 'embedded' : 'kurento';
  const version = embedded.success ? (embedded.data.version ?? '') : info.version;
  const sameHost = await isThisHost(address.host);
  const pid = sameHost ? await findServerPid(address.port, place.pid) : undefined;
  const canMix = info.modules?.some(({ factories }) => factories.includes('Composite'));
  return {
    kind,
    name: `${kind} ${version}`.trim(),
    version,
    url,
    sameHost,
    ...(pid === undefined ? {} : { pid }),
    ...(canMix === undefined ? {} : { canMix }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
