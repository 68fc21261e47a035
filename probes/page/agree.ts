import { unusable } from './join-watch.js';
import type { Peer } from './peer.js';
import type { BeginReply, FailureReport, HostCall, HostFunction, HostReply } from './wire.js';

type Failure = Pick<FailureReport, 'code' | 'detail'>;

interface LegOfProbe {
  readonly probe: string;
  readonly leg: string;
}

/**
 * Negotiates one leg with whoever makes the offer. `onAgreed` is called when both descriptions are known to both ends,
 * before the last one is applied; false: the probe is no longer joining. Resolves with what went wrong; never rejects.
 */
export async function agree(
  peer: Peer,
  of: LegOfProbe,
  host: HostFunction,
  onAgreed: () => boolean,
): Promise<Failure | undefined> {
  try {
    const begun = (await host({ call: 'begin', ...of })) as BeginReply | null;
    if (!begun?.ok) return refusalIn(begun);
    const { first } = begun;
    const tell = (call: HostCall): void => void host(call).catch(() => undefined);
    peer.begin(first, (candidate) => tell({ call: 'candidate', ...of, candidate }));
    if (first.by === 'probe') return await offerTo(peer, of, host, onAgreed);
    const answer = await peer.answerTo(first).catch(unusable);
    if (typeof answer !== 'string') return answer;
    const refused = refusalIn(await host({ call: 'answered', ...of, answer }));
    if (!refused) onAgreed();
    return refused;
  } catch (error) {
    return { code: 'page-error', detail: `negotiation failed in the page: ${String(error)}` };
  }
}

async function offerTo(
  peer: Peer,
  of: LegOfProbe,
  host: HostFunction,
  onAgreed: () => boolean,
): Promise<Failure | undefined> {
  const offer = await peer.offer();
  const reply = await host({ call: 'negotiate', ...of, offer });
  const refused = refusalIn(reply);
  if (refused || !reply || !('answer' in reply) || !onAgreed()) return refused;
  return peer.answer(reply.answer, reply.iceServers).then(() => undefined, unusable);
}

const refusalIn = (reply: HostReply | null): Failure | undefined =>
  reply?.ok === false ? { code: reply.code, detail: reply.detail } : undefined;
