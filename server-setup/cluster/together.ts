import { LoadlineError } from '../../model/errors.js';
import type { MemberReading, ServerReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import { closingsTogether, type ResetProof } from '../../model/reset-proof.js';
import type { MemberFacts, ServerFacts } from '../../model/run.js';

/** What several servers are as one. */
export function factsTogether(names: readonly string[], facts: readonly ServerFacts[]): ServerFacts {
  const [first] = facts;
  if (!first) throw noServers();
  const missing = facts.flatMap(({ missing: lacks = [] }) => lacks);
  const each = (word: (fact: ServerFacts) => string) => [...new Set(facts.map(word))].join(', ');
  return {
    kind: first.kind,
    nature: first.nature,
    name: `${facts.length} × ${each(({ name }) => name)}`,
    version: each(({ version }) => version),
    url: facts.map(({ url }) => url).join(' '),
    sameHost: facts.some(({ sameHost }) => sameHost),
    abilities: first.abilities,
    // What one of them lacks, the cluster lacks: a session may be placed on it.
    ...(missing.length === 0 ? {} : { missing }),
    servers: facts.map((fact, nth) => ({ server: names[nth] ?? '', ...ownFacts(fact) })),
  };
}

function ownFacts(fact: ServerFacts): Omit<MemberFacts, 'server'> {
  const { name, version, url, sameHost, pid, egressLimitBps, cpuLimitCores, heldTo } = fact;
  return given({ name, version, url, sameHost, pid, egressLimitBps, cpuLimitCores, heldTo });
}

const proofsFromWeakest = ['not-provable', 'idle', 'listed', 'restarted'] as const;

/** A cluster is clean when each server is; its proof is the weakest, and what was released is added up. */
export function proofTogether(proofs: readonly ResetProof[]): ResetProof {
  const found = proofsFromWeakest.flatMap((how) => proofs.find((proof) => proof.how === how) ?? [])[0];
  if (!found) throw noServers();
  const tookMs = Math.max(...proofs.map((proof) => proof.tookMs));
  const restarts = proofs.flatMap(({ restartMs }) => restartMs ?? []);
  return {
    how: found.how,
    tookMs,
    // Of sessions, what some of them tell is told: it warns, and less than all of it is no reason for silence.
    ...totalOf(proofs, 'released', 1),
    ...totalOf(proofs, 'foreign', 1),
    ...totalOf(proofs, 'rssMb', proofs.length),
    ...totalOf(proofs, 'idleCores', proofs.length),
    ...(restarts.length === 0 ? {} : { restartMs: Math.max(...restarts) }),
    ...given({ byClosing: closingsTogether(proofs.map(({ byClosing }) => byClosing)) }),
  };
}

function totalOf(
  proofs: readonly ResetProof[],
  key: 'released' | 'foreign' | 'rssMb' | 'idleCores',
  fewest: number,
): Partial<ResetProof> {
  const told = proofs.flatMap((proof) => proof[key] ?? []);
  return told.length < fewest ? {} : { [key]: told.reduce((sum, value) => sum + value, 0) };
}

const summed = ['cpuCores', 'rssMb', 'sessions', 'egressBytes', 'egressDroppedPackets', 'udpDrops'] as const;

/** The sum, and each by itself; what one of them does not tell is not told of all. */
export function readingsTogether(atMs: number, servers: readonly MemberReading[]): ServerReading {
  const sums = summed.flatMap((key) => {
    const values = servers.flatMap((reading) => reading[key] ?? []);
    return values.length === servers.length ? [[key, values.reduce((a, b) => a + b, 0)] as const] : [];
  });
  return { atMs, ...Object.fromEntries(sums), servers };
}

/** The first failure of several; all have ended by then, so that nothing goes on behind it. */
export async function allOf<T>(works: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(works);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function noServers(): LoadlineError {
  return new LoadlineError('E_INTERNAL', 'A cluster has no servers.');
}
