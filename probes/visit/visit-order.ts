import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { VisitPlan } from '../../model/visit.js';
import { addressOf, type Visitor } from './address.js';
import { type JoinScript, loadJoinScript } from './join-script.js';
import { withoutSecretsOf } from './page-diary.js';
import type { StuckEnding } from './script-watch.js';
import type { JoinOrder } from './visited-page.js';

/** Which app is visited, and how. */
export interface VisitOrder extends Pick<VisitPlan, 'join' | 'block' | 'painted'> {
  /** With places: "https://meet.example/{session}?name={participant}". */
  readonly url: string;
  /** For the join script; what it holds is stored nowhere. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What becomes of a join script that never gives way; absent: it holds up everything. */
  readonly ending?: StuckEnding;
}

/** All that the pages of one trial need. */
export interface ReadyVisit {
  /** The bundled code that observes. */
  readonly observer: string;
  readonly block: readonly string[];
  readonly painted: boolean;
  readonly clean: (text: string) => string;
  readonly script: JoinScript;
  /** `participant` says who visits; the session gets a name that no other trial has. */
  orderFor(visitor: Visitor, deadlineMs: number, signal: AbortSignal): JoinOrder;
}

/** Rejects with E_JOIN_SCRIPT. */
export async function readyVisit(order: VisitOrder, observerPath?: string): Promise<ReadyVisit> {
  const { url, env, block = [], painted = false, ending } = order;
  const script = await loadJoinScript(order.join, ending);
  const observer = await readFile(observerPath ?? fileURLToPath(new URL('visit.js', import.meta.url)), 'utf8');
  const trial = randomBytes(3).toString('hex');
  return {
    observer,
    block,
    painted,
    clean: withoutSecretsOf(env),
    script,
    orderFor: (named, deadlineMs, signal) => {
      const visitor = { ...named, session: `loadline-${trial}-${named.session}` };
      return { address: addressOf(url, visitor), script, visit: { ...visitor, env, signal }, deadlineMs };
    },
  };
}
