import { type BodyBound, boundedText, causeOfFetch } from '../sockets/bounded-body.js';

/** More than any exporter writes; what is larger is no page of metrics. */
const pageMbMax = 32;
const pageBound: BodyBound = {
  bytesMax: pageMbMax * 1024 * 1024,
  tooLong: () => new Error(`it is larger than ${pageMbMax} MB`),
};

/** The text at an address. Throws a plain Error with why not: refused, too late, too large, another status than 200. */
export async function fetchPage(url: string, token: string | undefined, boundMs: number): Promise<string> {
  const signal = AbortSignal.timeout(boundMs);
  try {
    const response = await fetch(url, {
      signal,
      // Where it leads is the page's choice, and may be an address that only this host reaches.
      redirect: 'error',
      headers: {
        // Also offered by servers that would else answer in OpenMetrics or Protocol Buffers.
        accept: 'text/plain;version=0.0.4;q=1,*/*;q=0.1',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`it answered ${response.status} ${response.statusText}`.trim());
    }
    return await boundedText(response, pageBound);
  } catch (error) {
    if (signal.aborted) throw new Error(`it did not answer in ${boundMs / 1000} s`);
    throw new Error(causeOfFetch(error));
  }
}
