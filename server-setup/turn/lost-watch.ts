import { messageOf } from '../../model/errors.js';
import { pingTurnServer } from './ask-turn-server.js';
import type { TurnAddress } from './turn-url.js';

const everyMs = 1000;
const answerWithinMs = 1500;
/** One lost datagram, or a busy second, is not the end of a server. */
const failuresInARow = 3;

/** Asks the server each second whether it is there. Calls back once when it is not; the returned function ends it. */
export function watchForLoss(to: TurnAddress, onLost: (detail: string) => void): () => void {
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  const look = async (): Promise<void> => {
    const failure = await pingTurnServer(to, answerWithinMs).catch(messageOf);
    if (ended) return;
    failures = failure === undefined ? 0 : failures + 1;
    if (failures === failuresInARow) onLost(`did not answer ${failuresInARow} requests in a row: ${failure}`);
    else timer = setTimeout(() => void look(), everyMs);
  };
  timer = setTimeout(() => void look(), everyMs);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
