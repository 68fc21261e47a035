import type { Profile } from './profile.js';

/** A meeting that fills a gallery of five by five: small tiles, a few cameras off, most people mute. */
export const meeting25: Profile = {
  name: 'meeting-25',
  scenarios: ['sfu-group'],
  sets: {
    roomSize: '25',
    resolution: '1280x720',
    videoKbps: '2500',
    simulcast: true,
    layer: 'low',
    cameraOff: '40%',
    muted: '60%',
    speech: 'p59',
  },
  sources: [
    'Layers of 180, 360 and 720 lines at up to 200, 700 and 2500 kbit/s are those of libwebrtc (kSimulcastFormats).',
    'A tile of a gallery of five by five is 256 pixels wide in a window of 1280: the low layer has 320.',
    'Who speaks when is of ITU-T P.59.',
    'The shares of cameras that are off and of mute people are chosen.',
  ],
};
