import type { ProbeArtifacts } from '../../model/artifacts.js';
import { nowMs } from './clock.js';
import type { Peer } from './peer.js';

const pictureWidth = 320;
const mostCharacters = 60_000;

/** The picture, stats and descriptions of a probe at this moment. What cannot be had is left out; never rejects. */
export async function keepArtifacts(probe: string, peers: readonly Peer[]): Promise<ProbeArtifacts> {
  const picture = peers.map(pictureOf).find((one) => one !== undefined);
  const texts = await Promise.all(peers.map(textsOf));
  return { probe, atMs: nowMs(), texts: texts.flat(), ...(picture === undefined ? {} : { picture }) };
}

/** `undefined` until a first frame was decoded (HTMLMediaElement.HAVE_CURRENT_DATA). */
function pictureOf({ playing }: Peer): string | undefined {
  const video = [...playing.keys()].find((element) => element instanceof HTMLVideoElement);
  if (!video || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = pictureWidth;
  canvas.height = Math.round((pictureWidth * video.videoHeight) / video.videoWidth);
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/jpeg', 0.7);
}

async function textsOf(peer: Peer): Promise<ProbeArtifacts['texts']> {
  const stats = await peer.stats().catch(() => undefined);
  const { localDescription, remoteDescription } = peer.connection;
  const of = (name: string, text: string | undefined) =>
    text === undefined || text === ''
      ? []
      : [{ name: `${name} of ${peer.leg.id}`, text: text.slice(0, mostCharacters) }];
  return [
    ...of('last stats', stats && JSON.stringify([...stats.values()], null, 1)),
    ...of('offer', withoutSecret(localDescription?.sdp)),
    ...of('answer', withoutSecret(remoteDescription?.sdp)),
  ];
}

/** The passwords of ICE open nothing any more, but what is stored holds no passwords. */
function withoutSecret(sdp: string | undefined): string | undefined {
  return sdp?.replace(/^(a=ice-pwd:).*$/gm, '$1(left out)');
}
