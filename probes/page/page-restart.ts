import { gatheredAnew } from './ice.js';
import type { Restarting } from './restart-ice.js';
import type { FirstMove } from './wire.js';

/** Of a connection in a page. */
export function restartingIn(peer: {
  readonly leg: { readonly id: string };
  readonly first: FirstMove;
  readonly connection: RTCPeerConnection;
  answer(sdp: string): Promise<void>;
}): Restarting {
  const { leg, first, connection } = peer;
  return {
    leg,
    first,
    async offerRestart() {
      connection.restartIce();
      const found = gatheredAnew(connection);
      await connection.setLocalDescription();
      await found;
      return connection.localDescription?.sdp ?? '';
    },
    acceptRestart: (answer) => peer.answer(answer),
    takeBack: () => connection.setLocalDescription({ type: 'rollback' }),
  };
}
