import type { Profile } from './profile.js';

/** Two who present in a large picture and one with a question, before viewers. */
export const webinarProfile: Profile = {
  name: 'webinar',
  scenarios: ['webinar'],
  sets: { presenters: '2', handsUp: '1', resolution: '1280x720', videoKbps: '1500', speech: 'p59' },
  sources: [
    'Jitsi Meet sends 720 lines in VP8 at up to 1500 kbit/s (videoQuality, high).',
    'Who speaks when is of ITU-T P.59.',
    'The numbers of presenters and of hands are chosen.',
  ],
};
