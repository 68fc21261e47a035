import { inPlace } from '../in-place.js';

/** Our clip has no echo and no noise, and to look for them costs a tenth of a page. What is processed is mono. */
const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false } as const;
const mono = { channelCount: 1 } as const;

/** Whatever an app asks of a microphone, its sound is not processed. Call before the app's code runs. */
export function leaveVoicePlain(): void {
  inPlace(MediaDevices.prototype, 'getUserMedia', (target, of, [constraints, ...rest]) =>
    Reflect.apply(target, of, [plainConstraints(constraints as MediaStreamConstraints | undefined), ...rest]),
  );
}

function plainConstraints(constraints: MediaStreamConstraints | undefined): MediaStreamConstraints | undefined {
  const audio = constraints?.audio;
  if (!audio) return constraints;
  return { ...constraints, audio: { ...mono, ...(audio === true ? {} : audio), ...plain } };
}
