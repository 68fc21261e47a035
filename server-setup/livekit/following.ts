import { saidBy } from '../../model/errors.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { LegRequest } from '../../model/signalling.js';
import type { Member } from './member.js';

/** A connection on which more is agreed as others come and go. */
export interface Following {
  readonly member: Member;
  readonly request: LegRequest;
  readonly onEvent: (event: ServerEvent) => void;
  /** Aborts when the participant leaves, or its session is closed. */
  readonly closing: AbortSignal;
}

/** One agreement after the other. What lacks when one fails is missed by the probe; here it is said why. */
export async function follow({ request, onEvent, closing }: Following, next: () => Promise<void>): Promise<void> {
  try {
    for (;;) await next();
  } catch (error) {
    if (closing.aborted) return;
    const detail = saidBy(error);
    onEvent({ kind: 'failed', of: 'leg', leg: request.leg.id, atMs: Date.now(), detail });
  }
}
