import { withWhy } from '../../model/errors.js';
import { given } from '../../model/given.js';
import type { NegotiationRequest, Speaker, Spoken } from '../../model/signalling.js';
import { onceThere } from '../await-stream.js';
import { waitMsOf } from './refusals.js';
import { readWords, type SpokenOpened } from './spoken.js';
import { WhipResource } from './whip-resource.js';

/** Speaks to endpoints of WHIP and WHEP where the probes are. The conductor ends what was opened. */
export const whipSpeaker: Speaker = async (
  text: string,
  { offer, signal }: NegotiationRequest,
  mayAsk: (url: string) => void,
): Promise<Spoken> => {
  const { streamWithinMs, ...words } = readWords(text);
  const { way } = words;
  // The name of the stream is in it already.
  const endpoint = { ...words, mayAsk };
  let waited: string | undefined;
  const open = () => WhipResource.open(endpoint, '', offer);
  const opened = await (way === 'whip'
    ? open()
    : onceThere(open, {
        withinMs: streamWithinMs,
        signal,
        waitMsOf,
        onWaiting: (refusal) => {
          waited = withWhy(refusal);
        },
      }));
  if (signal.aborted) {
    await opened.end();
    signal.throwIfAborted();
  }
  const { answer, iceServers, url } = opened;
  const told: SpokenOpened = given({ url, iceUrls: iceServers.flatMap(({ urls }) => urls), waited });
  return {
    answer,
    ...(iceServers.length > 0 ? { iceServers } : {}),
    addCandidate: (candidate) => opened.trickle(candidate),
    opened: JSON.stringify(told),
    end: async () => void (await opened.end()),
  };
};
