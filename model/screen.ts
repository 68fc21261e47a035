import type { ExpectedStream } from './expected-streams.js';

/** Frames of a shared screen in a second. */
export const screenFps = 5;
/** How long a slide is shown. */
export const slideMs = 4000;

/** Whether it is the picture of a shared screen, and no camera's. */
export const isShared = ({
  direction,
  kind,
  from,
  leg,
}: Pick<ExpectedStream, 'direction' | 'kind' | 'from'> & {
  readonly leg?: Pick<ExpectedStream['leg'], 'screen'>;
}): boolean =>
  kind === 'video' && (direction === 'send' ? leg : from && 'participant' in from ? from : undefined)?.screen === true;
