import type { ScrapedReading, ServerReading } from '../../model/evidence.js';
import { listedWith } from '../../model/listed.js';
import type { ProofOfReset } from '../../model/reset-proof.js';
import type { ServerFacts } from '../../model/run.js';
import type { ServerAbilities } from '../../model/server-abilities.js';
import { those } from '../../model/those.js';
import type { ServerNote } from '../../server-setup/media-server.js';
import { type Check, fail, ok, warn } from './checks.js';

/** What a media server can do and what it lacks, a sentence each: by its kind, and by what it says. */
export function checkAbilities({ abilities, missing = [], version }: ServerFacts): readonly Check[] {
  return those(
    version === '' && warn('it does not say its version', 'note it with the result: other versions carry other loads'),
    ok(sessionText(abilities, missing)),
    ...missing.map(({ shape, why, todo }) => warn(`it does not ${verbs[shape]}: ${why}`, todo)),
    abilities.records
      ? ok(`it records, of video ${abilities.codecs.records.join(', ')}`)
      : warn('it records nothing that is looked at', 'needed for --record only: there are no recordings to check'),
    abilities.turn
      ? ok('probes can reach it through TURN')
      : warn('probes cannot reach it through TURN', 'needed for --turn only: leave it out'),
    abilities.namesTurn && ok('it may name a TURN server of its own (--turn-server own)'),
    checkProof(abilities.reset),
  );
}

export function checkNote({ text, todo }: ServerNote): Check {
  return todo === undefined ? ok(text) : warn(text, todo);
}

const verbs = {
  forward: 'forward',
  mix: 'mix',
  'mix-sound': 'mix sound alone',
  answer: 'answer',
  'own-page': 'be visited',
} as const;
const does = {
  forward: 'forwards',
  mix: 'mixes',
  'mix-sound': 'mixes sound alone',
  answer: 'answers',
  'own-page': 'is visited',
} as const;

function sessionText({ shapes, codecs }: ServerAbilities, missing: ServerFacts['missing'] = []): string {
  const there = shapes.filter((shape) => missing.every((one) => one.shape !== shape));
  const carries =
    listedWith(
      'and',
      there.map((shape) => does[shape]),
    ) || 'carries nothing';
  const mixes = there.includes('mix') ? `, mixed: ${codecs.mixes.join(', ')}` : '';
  return `it ${carries}; video: ${codecs.forwards.join(', ')}${mixes}`;
}

const proofs: Readonly<Record<ProofOfReset, string>> = {
  listed: 'that it is clean before each trial is shown by its list of sessions',
  restarted: 'that it is clean before each trial is shown by starting it anew',
  idle: 'that it is clean before each trial is shown by its CPU and memory alone',
  'not-provable': 'nothing shows that it is clean before each trial',
};

function checkProof(reset: ProofOfReset): Check {
  return reset === 'not-provable'
    ? warn(
        proofs[reset],
        'have it started anew before a run: what one trial leaves behind is in the numbers of the next',
      )
    : ok(proofs[reset]);
}

interface Listener {
  readonly pid: number;
  readonly name: string;
  readonly port: number;
}

/** Who listens where it is asked may be a proxy in front of it. */
function listenerTodo({ pid, name, port }: Listener): string {
  return `add --server-pid port:${port} if what listens there carries media: process ${pid} (${name})`;
}

/** Whether what it uses is known, and whether a control group holds it to less than its host has. */
export function checkEvidence(
  { sameHost, pid, abilities }: ServerFacts,
  reading: ServerReading | undefined,
  listener?: Listener,
): readonly Check[] {
  const page = `${sameHost ? 'name its process by --server-name, or' : 'give find'} a Prometheus page of its host by --evidence http://HOST:9100/metrics`;
  const known = reading?.cpuCores !== undefined || reading?.rssMb !== undefined || reading?.saidMemoryMb !== undefined;
  const source =
    pid !== undefined
      ? ok(`its CPU and memory are read from its process, ${pid}`)
      : abilities.tellsResources && known
        ? ok('its CPU and memory are what it says itself; its host is not seen')
        : warn(
            `its CPU and memory are not known${sameHost ? ', its process was not found' : ''}`,
            listener ? listenerTodo(listener) : page,
          );
  const { cpuQuotaCores, memoryLimitMb } = reading ?? {};
  return those(
    source,
    cpuQuotaCores !== undefined && ok(`its control group allows it ${cpuQuotaCores} cores (CPU quota)`),
    memoryLimitMb !== undefined && ok(`its control group allows it ${Math.round(memoryLimitMb)} MB of memory`),
  );
}

/** What a page of metrics tells, by its last two readings: the first has no rates yet. */
export function checkPage(source: string, readings: readonly ScrapedReading[]): readonly Check[] {
  const of = readings.filter((reading) => reading.source === source);
  const { failure } = of.find((reading) => reading.failure !== undefined) ?? {};
  if (failure !== undefined) {
    return [
      fail(`${source} is not read: ${failure}`, 'start an exporter there, as node_exporter, or correct the address'),
    ];
  }
  const told: Partial<ScrapedReading> = Object.assign({}, ...of);
  const { hostCores, hostMemoryMb, hostSentKbps, part, cpuCores, memoryMb, unclear = [] } = told;
  const words = those(
    hostCores !== undefined && `the CPU of a host of ${hostCores} cores`,
    hostMemoryMb !== undefined && `its memory of ${Math.round(hostMemoryMb)} MB`,
    hostSentKbps !== undefined && 'what its network carries',
    (cpuCores ?? memoryMb) !== undefined && `what ${part ?? 'a process'} uses`,
  );
  return [
    words.length > 0
      ? ok(`${source} tells ${listedWith('and', words)}`)
      : warn(`${source} tells nothing of CPU, memory or network`, 'name the page of an exporter for hosts'),
    ...unclear.map((text) => warn(text, 'see --evidence-metric')),
  ];
}
