import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import { mediaSchema, type Plan } from '../../model/plan.js';
import { suchAs } from './usage-error.js';
import type { Written } from './written.js';

type Picture = Pick<Camera, 'width' | 'height'>;
type Camera = Pick<Plan['media'], 'width' | 'height' | 'framesPerSecond'>;

/** Encoders take nothing smaller; three seconds of anything larger are no file for a cache. */
const leastSide = 32;
const most: Camera = { width: 1920, height: 1080, framesPerSecond: 60 };
const pattern = /^(\d{2,4})x(\d{2,4})@(\d{1,2})$/;
const sizePattern = /^(\d{2,4})x(\d{2,4})$/;

export function cameraText({ width, height, framesPerSecond }: Camera): string {
  return `${width}x${height}@${framesPerSecond}`;
}

const isPicture = ({ width, height }: Picture): boolean =>
  [width, height].every((side) => side >= leastSide && side % 2 === 0) && width <= most.width && height <= most.height;

/** Throws E_USAGE naming the flag. */
function read(text: string, flag: string): Camera {
  const [width = 0, height = 0, framesPerSecond = 0] = (pattern.exec(text.trim()) ?? []).slice(1).map(Number);
  if (isPicture({ width, height }) && framesPerSecond > 0 && framesPerSecond <= most.framesPerSecond)
    return { width, height, framesPerSecond };
  throw new LoadlineError('E_USAGE', `${flag} cannot read "${text}".`, {
    where: flag,
    why: `it is width × height in even numbers from ${leastSide}, and frames per second, up to ${cameraText(most)}`,
    todo: suchAs(flag, '320x180@15'),
  });
}

export const camera: Written<Camera> = {
  inPlans: { mustBe: 'must be a picture and its frames per second: 320x180@15', shape: z.string().regex(pattern) },
  read,
};

/** Of what probes send: the same without its rate of frames, which is the plan's. */
export const resolution: Written<Picture> = {
  inPlans: { mustBe: 'must be the size of a picture: 1280x720', shape: z.string().regex(sizePattern) },
  read: (text, flag) => {
    const [width = 0, height = 0] = (sizePattern.exec(text.trim()) ?? []).slice(1).map(Number);
    if (isPicture({ width, height })) return { width, height };
    throw new LoadlineError('E_USAGE', `${flag} cannot read "${text}".`, {
      where: flag,
      why: `it is width × height in even numbers from ${leastSide}, up to ${most.width}x${most.height}`,
      todo: suchAs(flag, '1280x720'),
    });
  },
};

export const usualCamera = cameraText(mediaSchema.parse({}));
