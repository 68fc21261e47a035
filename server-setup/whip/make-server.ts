import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Environment } from '../../model/environment.js';
import { given } from '../../model/given.js';
import type { Plan } from '../../model/plan.js';
import type { Speaker } from '../../model/signalling.js';
import { waitsOf } from '../await-stream.js';
import type { MediaServer } from '../media-server.js';
import type { ServerKind, StandardCheck } from '../server-kind.js';
import { shownHeaders } from './credentials.js';
import type { WhipOptions } from './whip-server.js';

/** What a plan may say of any of its servers. */
export const serverSettings = {
  /** What the standard forbids is an error. */
  strict: z.boolean().optional(),
  /** So long after its answer each probe restarts ICE. */
  restartIceAfterMs: z.number().int().positive().optional(),
  process: z.string().optional(),
};

const conformanceRequestMs = 9000;

/** What its kind knows of a server, beside what the plan has. */
type Known = Pick<WhipOptions, 'addresses' | 'env'> & {
  readonly [Name in 'kind' | 'abilities' | 'usualToken' | 'strict' | 'process' | 'restartIceAfterMs']?:
    | WhipOptions[Name]
    | undefined;
};

export async function whipServerOf(plan: Plan, { addresses, env, ...known }: Known): Promise<MediaServer> {
  const { WhipServer } = await import('./whip-server.js');
  return new WhipServer({
    addresses,
    env,
    ...waitsOf(plan.thresholds),
    spokenByHosts: plan.hosts?.spokenBy === 'hosts',
    ...given(known),
  });
}

type Held = Parameters<NonNullable<ServerKind['conformance']>>[0] & {
  readonly address: string;
  readonly usualToken?: string;
};

/** What it does otherwise than RFC 9725. */
export async function heldToStandard(held: Held): Promise<readonly StandardCheck[]> {
  const { address, env = {}, offer, signal, usualToken } = held;
  const { conformanceOf } = await import('./conformance.js');
  const shown = shownHeaders('whip', env as Environment, usualToken);
  const endpoint = { way: 'whip' as const, address, shown, timeoutMs: conformanceRequestMs };
  return conformanceOf(endpoint, { stream: `loadline-${randomUUID()}`, offer, signal });
}

export const speakerOfAll = async (): Promise<Speaker> => (await import('./speaker.js')).whipSpeaker;
