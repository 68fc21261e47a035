import type { SearchOptions } from '../../model/plan.js';
import type { Landscape } from './landscape.js';

/** How many passes the limit needs, given what was seen. */
export function passesDemanded(options: SearchOptions, _landscape: Landscape): number {
  return options.confirm;
}

/** How many failures the size above needs, given what was seen. */
export function failuresDemanded(options: SearchOptions, _landscape: Landscape): number {
  return options.refute;
}
