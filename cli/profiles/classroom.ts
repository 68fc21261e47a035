import type { Profile } from './profile.js';

/** A lesson: a teacher in layers, some pupils who answer without a picture, and the class that listens. */
export const classroom: Profile = {
  name: 'classroom',
  scenarios: ['webinar'],
  sets: {
    presenters: '1',
    handsUp: '3',
    resolution: '1280x720',
    videoKbps: '2500',
    simulcast: true,
    layer: 'high',
    speech: 'p59',
  },
  sources: [
    'Layers of 180, 360 and 720 lines at up to 200, 700 and 2500 kbit/s are those of libwebrtc (kSimulcastFormats).',
    'Who speaks when is of ITU-T P.59.',
    'One teacher who fills the window and three pupils who speak are chosen.',
  ],
};
