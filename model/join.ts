import type { ProbeHostId } from './probe-host.js';
import type { ProbeFailureCode } from './trial.js';

/** How one arriving participant joined, told once it was answered and its candidates taken, or it failed. */
export interface ArrivedJoin {
  readonly participant: string;
  readonly session: string;
  /** Whose clock all times but `dueMs` are by, until they are set right; absent: the conductor's. */
  readonly host?: ProbeHostId;
  /** By the schedule, which waits for nobody. */
  readonly dueMs: number;
  /** When the generator began it; absent: it never did. */
  readonly begunMs?: number;
  /** When its session was there and it was known who offers. */
  readonly createdMs?: number;
  /** When the last of its legs was answered. */
  readonly answeredMs?: number;
  /** When the server had taken its candidates. */
  readonly trickledMs?: number;
  /** Of one that is a browser: when the last of its offers, or of its answers, had come from there. */
  readonly describedMs?: number;
  readonly iceMs?: number;
  /** When DTLS was done on the last of its legs. */
  readonly connectedMs?: number;
  /** When all that it is to receive had arrived. */
  readonly firstFrameMs?: number;
  /** How long the server took of all this until the answer. */
  readonly servedMs?: number;
  readonly endedMs: number;
  readonly failure?: { readonly code: ProbeFailureCode; readonly detail: string };
}

/** Who came and left together: a session, or one member of a session that stays. */
export interface EndedStay {
  readonly party: string;
  /** When all of them had been answered; absent: they never were. */
  readonly inMs?: number;
  /** When it began to leave. */
  readonly outMs: number;
  readonly endedMs: number;
  /** Why what they had on the server could not be ended. */
  readonly failure?: string;
}
