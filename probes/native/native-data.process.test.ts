import { expect, test } from '@playwright/test';
import { RTCPeerConnection, RTCSessionDescription } from 'werift';
import { NativeLink } from '../../rtp/native-link.js';
import { soon } from '../../tests/soon.js';
import { NativePeer } from './native-peer.js';
import { workerSurroundings } from './surroundings.js';

test('a connection comes up by data channels alone, and the server is told at once that nobody takes them', async () => {
  await NativeLink.prepare();
  const from = [{ participant: '1b', kinds: ['video'] as const }];
  const peer = new NativePeer(
    { id: '1a', sends: [], receives: ['video'], from },
    workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8' }),
    () => undefined,
  );
  const server = new RTCPeerConnection({ iceServers: [], iceAdditionalHostAddresses: ['127.0.0.1'] });
  try {
    server.createDataChannel('_reliable');
    await server.setLocalDescription(await server.createOffer());
    const offer = server.localDescription?.sdp ?? '';
    await peer.begin({ by: 'server', offer, candidates: 'in-one-message' }, () => undefined);
    const answer = peer.answerTo({ offer });
    expect(answer).toMatch(/^m=application 9 UDP\/DTLS\/SCTP webrtc-datachannel\r$/m);
    await server.setRemoteDescription(new RTCSessionDescription(answer, 'answer'));
    await soon(() => server.sctpTransport?.sctp.state, { timeout: 10_000 }).toBe('closed');
    expect(peer.state).toBe('connected');
  } finally {
    peer.close();
    await server.close();
  }
});
