import { lookup } from 'node:dns/promises';
import { isIP, isIPv4 } from 'node:net';
import type { Candidate } from 'werift';
import { readCandidateLine } from '../model/ice-candidate.js';
import { remoteCandidate } from './remote-candidate.js';

/** Where a native probe can connect to. */
const usable = 'UDP over IPv4';

/** Candidates of a server, of which a probe uses those of UDP over IPv4. Host names are resolved. */
export class RemoteCandidates {
  readonly #kinds = new Set<string>();
  readonly #onCandidate: (candidate: Candidate) => void;
  #resolving = 0;

  constructor(onCandidate: (candidate: Candidate) => void) {
    this.#onCandidate = onCandidate;
  }

  add(line: string): void {
    const name = nameIn(line);
    if (name === undefined) {
      this.#take(line);
      return;
    }
    this.#resolving += 1;
    void lookup(name, { family: 4 }).then(
      ({ address }) => {
        this.#resolving -= 1;
        this.#take(line.replace(` ${name} `, ` ${address} `));
      },
      () => {
        this.#resolving -= 1;
        this.#kinds.add(`at ${name}, which has no IPv4 address here`);
      },
    );
  }

  #take(line: string): void {
    const candidate = remoteCandidate(line);
    const isUsed = candidate !== undefined && isIPv4(candidate.host);
    this.#kinds.add(isUsed ? usable : kindOf(line));
    if (isUsed) this.#onCandidate(candidate);
  }

  /** Of what kinds all of them are, where none can be used. */
  get outOfReach(): string | undefined {
    return this.#resolving > 0 || this.#kinds.has(usable) ? undefined : this.untried;
  }

  /** Of what kinds those are that it does not use; undefined where there are none. */
  get untried(): string | undefined {
    const kinds = [...this.#kinds].filter((kind) => kind !== usable);
    return kinds.length === 0 ? undefined : kinds.join(', ');
  }
}

function kindOf(line: string): string {
  const read = readCandidateLine(line);
  if (read?.transport === 'tcp') return 'of TCP';
  if (read && isIP(read.address) === 6) return 'of IPv6';
  return read && isIP(read.address) === 0 ? 'names of mDNS' : 'of no known form';
}

/** A name of mDNS is known on its own network alone. */
function nameIn(line: string): string | undefined {
  const read = readCandidateLine(line);
  const isName = read?.transport === 'udp' && isIP(read.address) === 0 && !/\.local$/i.test(read.address);
  return isName ? read.address : undefined;
}
