import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import { mediaSchema, type Plan } from '../../model/plan.js';
import type { Written } from './written.js';

type Camera = Pick<Plan['media'], 'width' | 'height' | 'framesPerSecond'>;

/** Encoders take nothing smaller; three seconds of anything larger are no file for a cache. */
const leastSide = 32;
const most: Camera = { width: 1920, height: 1080, framesPerSecond: 60 };
const pattern = /^(\d{2,4})x(\d{2,4})@(\d{1,2})$/;

export function cameraText({ width, height, framesPerSecond }: Camera): string {
  return `${width}x${height}@${framesPerSecond}`;
}

/** Throws E_USAGE naming the flag. */
function read(text: string, flag: string): Camera {
  const [width = 0, height = 0, framesPerSecond = 0] = (pattern.exec(text.trim()) ?? []).slice(1).map(Number);
  const sides = [width, height];
  const isEven = sides.every((side) => side >= leastSide && side % 2 === 0);
  const isBounded = width <= most.width && height <= most.height && framesPerSecond <= most.framesPerSecond;
  if (isEven && isBounded && framesPerSecond > 0) return { width, height, framesPerSecond };
  throw new LoadlineError('E_USAGE', `${flag} cannot read "${text}".`, {
    where: flag,
    why: `it is width × height in even numbers from ${leastSide}, and frames per second, up to ${cameraText(most)}`,
    todo: `write for example ${flag} 320x180@15`,
  });
}

export const camera: Written<Camera> = {
  inPlans: { mustBe: 'must be a picture and its frames per second: 320x180@15', shape: z.string().regex(pattern) },
  read,
};

export const usualCamera = cameraText(mediaSchema.parse({}));
