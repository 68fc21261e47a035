import { startHeartbeat } from '../../encoded/heartbeat.js';
import { pump, type WorkerScope } from '../../encoded/worker-scope.js';
import { type Recordings, receivedPictures, SentPictures } from './pictures.js';
import { StandIns } from './stand-ins.js';
import type { EncodedPicture, FromPictures, PicturesOrder, SaidOfSender, ToPictures } from './wire.js';

const scope = globalThis as unknown as WorkerScope<ToPictures, FromPictures, EncodedPicture, PicturesOrder>;
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
  const lateMs = isSent ? options.lateMs : 0;
  pump(transformer, async (picture, write) => {
    await pictures.handle(picture);
    if (lateMs === 0) write();
    else setTimeout(write, lateMs);
  }).catch(() => undefined);
};

function sent(sender: string): SentPictures {
  const pictures = new SentPictures(recordings, (said, size) =>
    scope.postMessage({ said, sender, ...(size ? { size } : {}) } as SaidOfSender),
  );
  senders.set(sender, pictures);
  return pictures;
}
