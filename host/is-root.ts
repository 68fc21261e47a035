import { getuid } from 'node:process';

/** Whether this process may do everything on this host, so that what it starts and removes needs care. */
export function isRoot(): boolean {
  return getuid?.() === 0;
}
