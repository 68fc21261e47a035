import type { Profile } from './profile.js';

/** What sizing studies were made with before layers: one small picture of each, and everybody talks. */
export const classic640: Profile = {
  name: 'classic-640',
  sets: { resolution: '640x360', videoKbps: '500', codec: 'VP8' },
  sources: [
    'Jitsi Meet sends 360 lines in VP8 at up to 500 kbit/s (videoQuality, standard).',
    'One layer, no pauses and every camera on are chosen: the most that such a session can ask for.',
  ],
};
