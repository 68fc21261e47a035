import type { MediaFiles } from './media/media-files.js';

interface LaunchFlag {
  readonly flag: string;
  readonly reason: string;
}

/**
 * Chromium keeps the last `--disable-features` alone, so that ours must repeat what the browser driver sets for quiet
 * starts (its own list comes first on the command line).
 */
const disabledFeatures: readonly LaunchFlag[] = [
  {
    flag: 'WebRtcHideLocalIpsWithMdns',
    reason: 'a page that only receives would offer `.local` candidates that no media server can resolve',
  },
  { flag: 'MediaRouter', reason: 'no search for cast devices on the network' },
  { flag: 'OptimizationHints', reason: 'no download at start' },
  { flag: 'NetworkTimeServiceQuerying', reason: 'no query of the time at start' },
  { flag: 'HttpsUpgrades', reason: 'the page is served at http://localhost' },
  { flag: 'HttpsFirstBalancedModeAutoEnable', reason: 'the page is served at http://localhost' },
  { flag: 'DestroyProfileOnBrowserClose', reason: 'a clean end of the browser process' },
];

/** Every flag of a probe's Chromium, with its reason. */
export function launchFlags(media: MediaFiles, trustedKeys: readonly string[] = []): readonly LaunchFlag[] {
  return [
    ...(trustedKeys.length === 0 ? [] : [trusting(trustedKeys)]),
    { flag: '--use-fake-device-for-media-stream', reason: 'a camera and a microphone without hardware' },
    { flag: '--use-fake-ui-for-media-stream', reason: 'nobody is there to allow the camera' },
    { flag: `--use-file-for-fake-video-capture=${media.camera}`, reason: 'a clip that fills its target bitrate' },
    { flag: `--use-file-for-fake-audio-capture=${media.microphone}`, reason: 'speech that is never silent' },
    { flag: '--autoplay-policy=no-user-gesture-required', reason: 'received tracks play without a click' },
    { flag: '--mute-audio', reason: 'received sound is played, so that it is measured, but not heard' },
    {
      flag: '--force-fieldtrials=WebRTC-RtcEventLogKillSwitch/Enabled/',
      reason: 'no copy of the last 10,000 packet headers per connection, for a log that nobody asked for: 13 MiB each',
    },
    { flag: '--disable-background-timer-throttling', reason: 'pages behind others must read their probes each second' },
    { flag: '--disable-renderer-backgrounding', reason: 'pages behind others must decode at full priority' },
    { flag: '--disable-backgrounding-occluded-windows', reason: 'the same, for windows' },
    {
      flag: `--disable-features=${disabledFeatures.map(({ flag }) => flag).join(',')}`,
      reason: disabledFeatures.map(({ flag, reason }) => `${flag}: ${reason}`).join('; '),
    },
  ];
}

/** Narrower than to ignore all errors of certificates; it needs a profile folder of its own, which each browser has. */
function trusting(publicKeysSha256: readonly string[]): LaunchFlag {
  return {
    flag: `--ignore-certificate-errors-spki-list=${publicKeysSha256.join(',')}`,
    reason:
      'keys that are accepted whoever vouches for them: of the TURN server of this trial, or of an app that Node has checked by NODE_EXTRA_CA_CERTS',
  };
}
