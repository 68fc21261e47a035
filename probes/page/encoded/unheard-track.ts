/** A received track of which nothing ever comes, and the connection that it lives as long as. */
export interface UnheardTrack {
  readonly track: MediaStreamTrack;
  readonly connection: RTCPeerConnection;
}

/** Nothing is sent: an offer to send that is not answered makes the track. */
export async function unheardTrack(): Promise<UnheardTrack> {
  const [connection, offerer] = [new RTCPeerConnection(), new RTCPeerConnection()];
  offerer.addTransceiver('audio', { direction: 'sendonly' });
  const track = new Promise<MediaStreamTrack>((resolve) => {
    connection.addEventListener('track', (event) => resolve(event.track), { once: true });
  });
  await connection.setRemoteDescription(await offerer.createOffer());
  offerer.close();
  return { track: await track, connection };
}
