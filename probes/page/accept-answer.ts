import { withCheapSound } from './encoded/cheap-sound.js';
import { withFirstSection } from './first-section.js';

/**
 * Applies a server's answer. Where our sound is replaced, the page reads another one for it. A browser that has no L16
 * encodes Opus: the sound that goes out is the same, it only costs more. Rejects when the browser cannot apply the
 * answer itself.
 */
export async function acceptAnswer(connection: RTCPeerConnection, said: string, soundReplaced: boolean): Promise<void> {
  const sdp = withFirstSection(said, connection.localDescription?.sdp ?? '');
  const cheap = soundReplaced ? withCheapSound(sdp) : sdp;
  try {
    await connection.setRemoteDescription({ type: 'answer', sdp: cheap });
  } catch (error) {
    if (cheap === sdp) throw error;
    await connection.setRemoteDescription({ type: 'answer', sdp });
  }
}
