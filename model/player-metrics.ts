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
