import { isEncodable } from './codec.js';
import type { Plan } from './plan.js';

/** Pictures that encoded probes send are no larger: each of their pages has the whole clip in memory. */
export const largestEncoded = { width: 640, height: 360 } as const;

/** Whether encoded probes could play this in place of full ones. */
export function mayBeEncoded({ players, media }: Pick<Plan, 'players' | 'media'>): boolean {
  const { videoCodec, simulcast, svc, width, height } = media;
  const fits = width * height <= largestEncoded.width * largestEncoded.height;
  return players.kind === 'full' && fits && !simulcast && !svc && isEncodable(videoCodec);
}
