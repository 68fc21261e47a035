/** Frames of a shared screen in a second. */
export const screenFps = 5;
/** How long a slide is shown. */
export const slideMs = 4000;
