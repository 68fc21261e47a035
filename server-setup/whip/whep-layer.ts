import { LoadlineError } from '../../model/errors.js';
import { askedBy, shownAt, type WhipEndpoint } from './endpoint.js';
import { askHttp, statusText } from './http-request.js';
import { isOfOrigin } from './sent-on.js';

/** More than any list of layers. */
const readCharactersMost = 100_000;

/** What of a viewer's session tells of layers, and where one is asked for. */
interface LayersOf {
  readonly endpoint: WhipEndpoint;
  readonly stream: string;
  /** Addresses of the extensions that it offers, by their names. */
  readonly extensions: ReadonlyMap<string, string>;
}

/**
 * Asks for a layer of a viewer's video by the extensions of WHEP (draft-ietf-wish-whep): a server-sent event says which
 * layers there are and of which media, and a POST chooses one. Throws an error that says what came in place of that.
 *
 * @param rid of the layer; it is waited for as long as a request may take
 */
export async function chooseLayer(of: LayersOf, rid: string): Promise<void> {
  const { endpoint, stream, extensions } = of;
  const [events, layer] = ['server-sent-events', 'layer'].map((name) => extensions.get(name));
  if (events === undefined || layer === undefined)
    throw noLayer('it offers no extension of WHEP to choose one by (Link: server-sent-events, layer)');
  const elsewhere = [events, layer].find((url) => !isOfOrigin(url, endpoint.address));
  if (elsewhere !== undefined) throw noLayer(`its extension leads to another origin, ${elsewhere}`);
  const mediaId = await mediaOf(rid, events, of);
  const headers = { ...shownAt(endpoint, stream), 'content-type': 'application/json' };
  const body = JSON.stringify({ mediaId, encodingId: rid });
  const answer = await askHttp({ method: 'POST', url: layer, headers, body, ...askedBy(endpoint) });
  if (answer.status >= 300) throw noLayer(`it answers ${statusText(answer)} to the layer ${rid}`);
}

/** Reads events until one lists the layer. */
async function mediaOf(rid: string, url: string, { endpoint, stream }: LayersOf): Promise<string> {
  endpoint.mayAsk?.(url);
  const signal = AbortSignal.timeout(endpoint.timeoutMs);
  const headers = { ...shownAt(endpoint, stream), accept: 'text/event-stream' };
  let text = '';
  let known = 'it told of none';
  try {
    const response = await fetch(url, { headers, signal, redirect: 'error' });
    if (!response.ok || !response.body) throw noLayer(`it answers ${response.status} to who asks for its events`);
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      text += part;
      const events = text.split(/\r?\n\r?\n/);
      text = events.pop() ?? '';
      for (const layers of events.flatMap((event) => layersIn(event) ?? [])) {
        const found = layers.find(([, encodings]) => encodings.includes(rid));
        if (found) return found[0];
        known = `it told of ${
          layers
            .flatMap(([, encodings]) => encodings)
            .join(', ')
            .slice(0, 200) || 'none'
        }`;
      }
      if (text.length > readCharactersMost) break;
    }
  } catch (error) {
    if (error instanceof LoadlineError) throw error;
    if (!signal.aborted) throw noLayer(`its events cannot be read: ${String(error).slice(0, 200)}`);
  }
  throw noLayer(`its events did not name the layer ${rid} in time: ${known}`);
}

type Layers = readonly (readonly [media: string, encodings: readonly string[]])[];

/** Of an event of layers: `{"1": {"layers": [{"encodingId": "h"}]}}`. Undefined of any other. */
function layersIn(event: string): readonly Layers[] | undefined {
  const lines = event.split(/\r?\n/);
  if (!lines.some((line) => /^event: ?layers$/.test(line))) return undefined;
  const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : [])).join('\n');
  try {
    const read: unknown = JSON.parse(data);
    return [Object.entries(read ?? {}).map(([media, said]) => [media, encodingsOf(said)] as const)];
  } catch {
    return undefined;
  }
}

function encodingsOf(said: unknown): readonly string[] {
  const layers: unknown = typeof said === 'object' && said !== null ? Reflect.get(said, 'layers') : undefined;
  if (!Array.isArray(layers)) return [];
  return layers.flatMap((layer: unknown) => {
    const id: unknown = typeof layer === 'object' && layer !== null ? Reflect.get(layer, 'encodingId') : undefined;
    return typeof id === 'string' ? [id] : [];
  });
}

const noLayer = (why: string): LoadlineError =>
  new LoadlineError('E_SERVER_PROTOCOL', 'The layer of a video could not be asked for.', {
    why,
    todo: 'leave --layer out',
  });
