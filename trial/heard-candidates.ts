import { type Candidate, candidateLines, readCandidate, type TriedLeg } from '../model/candidate.js';
import type { Begin, IceCandidate, Negotiate } from '../model/signalling.js';
import type { ProbeRecord } from '../model/trial.js';

/** A host with ten addresses has some thirty. */
const candidatesMax = 30;
const legsMax = 20;

interface HeardLeg extends Pick<TriedLeg, 'probe' | 'leg'> {
  readonly ofProbe: Heard;
  readonly ofServer: Heard;
}

/** Hears the candidates between probes and server, and tells those of legs that never had a connection. */
export class HeardCandidates {
  private readonly legs = new Map<string, HeardLeg>();

  readonly negotiating =
    (negotiate: Negotiate): Negotiate =>
    async (request) => {
      const { ofProbe, ofServer } = this.leg(request.participant.id, request.leg.id);
      ofProbe.hear(candidateLines(request.offer));
      const agreed = await negotiate({ ...request, onCandidate: ofServer.passing(request.onCandidate) });
      ofServer.hear(candidateLines(agreed.answer));
      return {
        answer: agreed.answer,
        ...(agreed.iceServers ? { iceServers: agreed.iceServers } : {}),
        addCandidate: ofProbe.passing((candidate) => agreed.addCandidate(candidate)),
      };
    };

  readonly beginning =
    (begin: Begin): Begin =>
    async (request) => {
      const { ofProbe, ofServer } = this.leg(request.participant.id, request.leg.id);
      const first = await begin({ ...request, onCandidate: ofServer.passing(request.onCandidate) });
      if (first.by === 'probe') return first;
      ofServer.hear(candidateLines(first.offer));
      return {
        ...first,
        answer: (answer) => {
          ofProbe.hear(candidateLines(answer));
          return first.answer(answer);
        },
        addCandidate: ofProbe.passing((candidate) => first.addCandidate(candidate)),
      };
    };

  /** Of those probes that failed before they had a connection. */
  tried(probes: readonly ProbeRecord[]): readonly TriedLeg[] {
    const failed = new Set(
      probes.filter(({ up, join }) => !up && join.dtlsConnectedMs === undefined).map(({ participant: { id } }) => id),
    );
    return [...this.legs.values()]
      .filter(({ probe }) => failed.has(probe))
      .slice(0, legsMax)
      .map(({ probe, leg, ofProbe, ofServer }) => ({ probe, leg, ofProbe: ofProbe.all, ofServer: ofServer.all }));
  }

  private leg(probe: string, leg: string): HeardLeg {
    const known = this.legs.get(leg) ?? { probe, leg, ofProbe: new Heard(), ofServer: new Heard() };
    this.legs.set(leg, known);
    return known;
  }
}

/** Each once: a description has the same ones in each of its media sections. */
class Heard {
  private readonly known = new Map<string, Candidate>();

  get all(): readonly Candidate[] {
    return [...this.known.values()];
  }

  /** Hears each candidate before it goes on. */
  passing<Result>(on: (candidate: IceCandidate) => Result): (candidate: IceCandidate) => Result {
    return (candidate) => {
      this.hear([candidate.candidate]);
      return on(candidate);
    };
  }

  hear(lines: readonly string[]): void {
    for (const candidate of lines.flatMap((line) => readCandidate(line) ?? [])) {
      const key = Object.values(candidate).join(' ');
      if (this.known.size < candidatesMax) this.known.set(key, candidate);
    }
  }
}
