import { those } from './those.js';
/**
 * How it is known that nothing of an earlier trial is left on the media server: it lists its sessions and none is ours;
 * it was started anew; it uses no more CPU and memory than an idle one, which is all that it shows; or nothing shows
 * it.
 */
export type ProofOfReset = 'listed' | 'restarted' | 'idle' | 'not-provable';

/** What the media server was like before the trial put load on it, and how that is known. */
export interface ResetProof {
  readonly how: ProofOfReset;
  readonly tookMs: number;
  /** Sessions released although no session of this run still held them; absent where nobody can tell. */
  readonly released?: number;
  /** Sessions of others, left alone; absent where nobody can tell. Ours are gone, or there is no trial. */
  readonly foreign?: number;
  readonly rssMb?: number;
  /** CPU of the server at rest; absent when it cannot be read, or others use the server. */
  readonly idleCores?: number;
  /** How long it took to be there again; absent when it was not restarted. */
  readonly restartMs?: number;
  /** Of what was opened before; absent where all of it was ended by request. */
  readonly byClosing?: ByClosing;
}

/** Connections that the server was not asked, or not able, to end: they were closed, and it had to notice that. */
export interface ByClosing {
  readonly connections: number;
  /** Sentence parts. */
  readonly why: string;
  /** Streams that were looked at afterwards; absent: it answers alike whether a stream is there or not. */
  readonly streams?: number;
  /** Of these, how many still answered. */
  readonly still?: number;
}

/** Of several servers, or of several resets. */
export function closingsTogether(all: readonly (ByClosing | undefined)[]): ByClosing | undefined {
  const told = all.filter((one) => one !== undefined);
  if (told.length === 0) return undefined;
  const total = (of: (one: ByClosing) => number | undefined) => told.reduce((sum, one) => sum + (of(one) ?? 0), 0);
  const looked = told.some(({ streams }) => streams !== undefined);
  return {
    connections: total(({ connections }) => connections),
    why: [...new Set(told.flatMap(({ why }) => why.split('; ')))].join('; '),
    ...(looked ? { streams: total(({ streams }) => streams), still: total(({ still }) => still) } : {}),
  };
}

const proofs: Readonly<Record<ResetProof['how'], string>> = {
  listed: 'nothing of ours is listed',
  restarted: 'restarted',
  idle: 'at rest, by its CPU and memory alone',
  'not-provable': 'nothing shows that it is clean',
};

/** What a reset came to, in a line for a person. */
export function proofText(proof: ResetProof): string {
  const { how, tookMs, released, foreign, rssMb, idleCores, restartMs, byClosing } = proof;
  return those(
    `${proofs[how]}, after ${Math.round(tookMs)} ms`,
    rssMb !== undefined && `${Math.round(rssMb)} MB resident`,
    idleCores !== undefined && `${idleCores.toFixed(2)} cores in use`,
    (released ?? 0) > 0 && `${released} left by earlier runs released`,
    (foreign ?? 0) > 0 && `${foreign} of others left alone`,
    byClosing && `${byClosing.connections} ended by closing their connections`,
    restartMs !== undefined && `restarted in ${Math.round(restartMs)} ms`,
  ).join(', ');
}
