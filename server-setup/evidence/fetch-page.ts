/** More than any exporter writes; what is larger is no page of metrics. */
const pageBytesMax = 32 * 1024 * 1024;

/** The text at an address. Throws a plain Error with why not: refused, too late, too large, another status than 200. */
export async function fetchPage(url: string, token: string | undefined, boundMs: number): Promise<string> {
  const signal = AbortSignal.timeout(boundMs);
  try {
    const response = await fetch(url, {
      signal,
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
    return await textOf(response);
  } catch (error) {
    if (signal.aborted) throw new Error(`it did not answer in ${boundMs / 1000} s`);
    throw new Error(reasonOf(error));
  }
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > pageBytesMax) throw new Error(`it is larger than ${pageBytesMax / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What Node wraps in "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
