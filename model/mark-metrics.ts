const ofBoth = { kinds: ['audio', 'video'], source: 'mark of the sender', reading: 'apart' } as const;
/** The times of messages on a data channel, too: each says when it was sent. */
const delay = { ...ofBoth, kinds: ['audio', 'video', 'data'] } as const;
const ofVideo = { ...ofBoth, kinds: ['video'] } as const;
const drawn = { kinds: ['video'], source: 'drawn mark of the sender', reading: 'apart' } as const;

/** Rows of the catalogue of metrics: what marks say, of native and encoded senders, and those that full ones draw. */
export const markRows = {
  markedFrames: {
    ...ofBoth,
    about: 'whole frames, or packets of sound, with a mark; absent, as all of marks, as long as the stream had none',
  },
  unmarkedFrames: {
    ...ofBoth,
    about: 'those without one, once the stream had one',
  },
  foreignFrames: {
    ...ofBoth,
    about: 'those of another sender than the one whose stream it is',
  },
  delayMs: {
    unit: 'ms',
    form: 'ratio',
    ...delay,
    about:
      'from when it was taken until it was whole here, mean; absent where the sender has a clock that is not known',
  },
  delayMaxMs: {
    unit: 'ms',
    form: 'gauge',
    ...delay,
    about: 'the longest of them',
  },
  delayBoundMs: {
    unit: 'ms',
    form: 'gauge',
    ...delay,
    about: 'by so much the clocks of two hosts leave these open, and those until it was shown; absent on one clock',
  },
  soundLaterMs: {
    unit: 'ms',
    form: 'gauge',
    ...ofVideo,
    about: 'by how much more the sound of the same sender was late than its pictures; below 0 where less',
  },
  picturesRead: {
    ...drawn,
    about: 'full probes: pictures that were looked at as they were shown, two a second',
  },
  blankPictures: {
    ...drawn,
    about: 'those of one colour, which no camera gives',
  },
  stillPictures: {
    ...drawn,
    about: 'those with the mark of the look before, although frames were shown since',
  },
  shownMs: {
    unit: 'ms',
    form: 'ratio',
    ...drawn,
    about:
      'from when a picture was taken until it was shown, mean; absent where the sender has a clock that is not known',
  },
  shownMaxMs: {
    unit: 'ms',
    form: 'gauge',
    ...drawn,
    about: 'the longest of them',
  },
} as const;

/** What full probes drew. */
export const drawnFrameRows = {
  drawnFrames: {
    ...drawn,
    about: 'full probes: frames of the camera that went to the encoder with a mark',
  },
} as const;
