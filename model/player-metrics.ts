const audio = { kinds: ['audio'], unit: 'ms' } as const;

/** Rows of the catalogue of metrics: the playout of the probe host itself, which all streams of a page share. */
export const playoutRows = {
  playoutMs: {
    ...audio,
    source: 'media-playout.totalSamplesDuration',
    about: 'sound that the device of the host played, of all streams of the page together',
  },
  synthesizedPlayoutMs: {
    ...audio,
    source: 'media-playout.synthesizedSamplesDuration',
    about: 'what of it was made up, because the page had not given it in time',
  },
} as const;

const compared = {
  kinds: ['video'],
  form: 'gauge',
  source: 'shown picture beside the sent one',
  reading: 'apart',
} as const;

/** Rows of pictures that full probes compare with those that were sent. */
export const comparedRows = {
  ssim: { ...compared, unit: 'SSIM', about: 'how like the sent picture the one that was shown is, 0 to 1, mean' },
  vmaf: { ...compared, unit: 'VMAF', about: 'the same by VMAF, 0 to 100, mean; where the ffmpeg of its host has it' },
  psnrDb: { ...compared, unit: 'dB', about: 'peak signal to noise of its luma, mean' },
} as const;
