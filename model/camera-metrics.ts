const ofVideo = { unit: 'fps', form: 'gauge', kinds: ['video'] } as const;

/** Rows of the catalogue of metrics that are about cameras. */
export const cameraRows = {
  sourceFps: {
    ...ofVideo,
    source: 'media-source.framesPerSecond',
    about: 'frames the camera gave',
  },
  askedFps: {
    ...ofVideo,
    source: 'MediaStreamTrack.getSettings().frameRate',
    about: 'visited pages: frames that the app asked of the camera; 0 of a shared screen',
    reading: 'apart',
  },
} as const;
