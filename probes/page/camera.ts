import type { Leg, MediaKind } from '../../model/scenario.js';
import { type Speech, Voice } from '../../model/speech.js';
import { nowMs } from './clock.js';
import { openSlides } from './slides.js';
import type { PageMedia } from './wire.js';

/**
 * The page's one camera and microphone. Processing of the voice is off: it costs CPU for each page and would shape what
 * the probes send.
 */
export function openCamera(media: PageMedia): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    video: {
      width: { exact: media.width },
      height: { exact: media.height },
      frameRate: { ideal: media.framesPerSecond },
    },
    audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false, channelCount: 1 },
  });
}

/**
 * A copy of the page's track, of a probe's own, so that stopping one probe leaves the others their camera. A mute
 * leg goes on sending, silence: its track is not enabled (mediacapture-streams, 4.3.1). So does one that pauses.
 */
export function cloneTrack(
  camera: MediaStream | undefined,
  kind: MediaKind,
  leg: Leg,
  media: PageMedia,
): MediaStreamTrack {
  if (kind === 'video' && leg.screen) return openSlides(media);
  const track = camera?.getTracks().find((one) => one.kind === kind);
  if (!track) throw new Error(`the fake ${kind === 'video' ? 'camera' : 'microphone'} gave no track`);
  const own = track.clone();
  own.enabled = kind === 'video' || !leg.muted;
  if (kind === 'audio' && leg.speech) speakAndPause(own, leg.speech);
  return own;
}

const pausing = new WeakMap<MediaStreamTrack, ReturnType<typeof setTimeout>>();

function speakAndPause(track: MediaStreamTrack, speech: Speech): void {
  const voice = new Voice(speech);
  const follow = (): void => {
    const now = nowMs();
    track.enabled = voice.speaks(now);
    pausing.set(track, setTimeout(follow, Math.ceil(voice.untilChangeMs(now))));
  };
  follow();
}

export function stopTrack(track: MediaStreamTrack): void {
  clearTimeout(pausing.get(track));
  track.stop();
}

/**
 * Plays a received track. Without playout the jitter buffer is never drained and its stats say nothing. Sound is not
 * muted here (inbound-rtp.audioLevel is measured after the element's volume and would be 0) but by `--mute-audio`.
 * With a track beside it, which comes first, the element plays on when this one has ended.
 */
export function playTrack(track: MediaStreamTrack, beside?: MediaStreamTrack): HTMLMediaElement {
  const element = document.createElement(track.kind === 'video' ? 'video' : 'audio');
  element.autoplay = true;
  element.srcObject = new MediaStream(beside ? [beside, track] : [track]);
  document.body.append(element);
  element.play().catch(() => undefined);
  return element;
}

export const isPlaying = ({ srcObject }: HTMLMediaElement, track: MediaStreamTrack): boolean =>
  srcObject instanceof MediaStream && srcObject.getTracks().includes(track);
