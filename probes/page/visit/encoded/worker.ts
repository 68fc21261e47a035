import { startHeartbeat } from '../../encoded/heartbeat.js';
import { type Pictures, type Recordings, receivedPictures, SentPictures } from './pictures.js';
import { StandIns } from './stand-ins.js';
import type { EncodedPicture, FromPictures, PicturesOrder, SaidOfSender, ToPictures } from './wire.js';

/** The globals of a worker, as far as they are used: page code is compiled against those of a window. */
interface PicturesScope {
  onmessage: ((event: { readonly data: ToPictures }) => void) | null;
  onrtctransform: ((event: { readonly transformer: Transformer }) => void) | null;
  postMessage(said: FromPictures): void;
}

/** RTCRtpScriptTransformer. */
interface Transformer {
  readonly readable: ReadableStream<EncodedPicture>;
  readonly writable: WritableStream<EncodedPicture>;
  readonly options: PicturesOrder;
}

const scope = globalThis as unknown as PicturesScope;
const standIns = new StandIns();
const senders = new Map<string, SentPictures>();
const recordings: Recordings = new Map();
const heartbeat = startHeartbeat();

scope.onmessage = ({ data }) => {
  if (data.tell === 'report') return scope.postMessage({ said: 'report', lateMs: heartbeat.takeLateMs() });
  const pictures = senders.get(data.sender);
  if (data.tell === 'record') pictures?.record(data.name, data.frames);
  else pictures?.stop();
};

scope.onrtctransform = ({ transformer }) => {
  const { options } = transformer;
  const isSent = options.direction === 'send';
  const pictures = isSent ? sent(options.sender) : receivedPictures(standIns);
  // The streams end with the connection, by an error or by `done`: both are the end of this stream and no fault.
  pump(transformer, pictures, isSent ? options.lateMs : 0).catch(() => undefined);
};

function sent(sender: string): SentPictures {
  const pictures = new SentPictures(recordings, (said, size) =>
    scope.postMessage({ said, sender, ...(size ? { size } : {}) } as SaidOfSender),
  );
  senders.set(sender, pictures);
  return pictures;
}

async function pump({ readable, writable }: Transformer, pictures: Pictures, lateMs: number): Promise<void> {
  const reader = readable.getReader();
  const writer = writable.getWriter();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const picture = next.value;
    const made = pictures.handle(picture);
    if (made) await made;
    // Not awaited: the order is kept, and what cannot be written any more ends the reading, too.
    const write = () => void writer.write(picture).catch(() => undefined);
    if (lateMs === 0) write();
    else setTimeout(write, lateMs);
  }
}
