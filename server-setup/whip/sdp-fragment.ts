import type { IceCandidate } from '../../model/signalling.js';

/** The type of a body that brings candidates (RFC 8840). */
export const fragmentType = 'application/trickle-ice-sdpfrag';

/** Candidates of one side, as a PATCH brings them (RFC 8840, 9; RFC 9725, 4.3.2). */
export function fragmentOf(offer: string, candidates: readonly IceCandidate[]): string {
  const sections = offer.split(/\r?\n(?=m=)/).slice(1);
  const session = offer.slice(0, offer.indexOf('\nm=') + 1);
  const bundle = attribute(session, 'group:BUNDLE');
  const parts = sections.flatMap((section, nth) => {
    const mid = attribute(section, 'mid:');
    const own = candidates.filter(({ sdpMid, sdpMLineIndex }) =>
      sdpMid === null ? sdpMLineIndex === nth : sdpMid === mid,
    );
    return own.length === 0 ? [] : sectionLines(section, session, mid, own);
  });
  // What the offer said of ICE holds for what follows it (RFC 9725, 4.3.3).
  const options = attribute(session, 'ice-options:');
  const lines = [
    ...(options === undefined ? [] : [`a=ice-options:${options}`]),
    ...(bundle === undefined ? [] : [`a=group:BUNDLE${bundle}`]),
    ...parts,
  ];
  return `${lines.join('\r\n')}\r\n`;
}

/** The candidates that stand in an offer, for the fragment that restarts ICE by it (RFC 9725, 4.3.3). */
export function candidatesIn(offer: string): readonly IceCandidate[] {
  const [section = ''] = offer.split(/\r?\n(?=m=)/).slice(1);
  const sdpMid = attribute(section, 'mid:') ?? null;
  const lines = section.split(/\r?\n/).filter((line) => line.startsWith('a=candidate:'));
  return [...lines.map((line) => line.slice(2)), ''].map((candidate) => ({ candidate, sdpMid, sdpMLineIndex: 0 }));
}

/** An answer with the credentials and candidates of a fragment in place of its own; undefined where that has none. */
export function restarted(answer: string, fragment: string): string | undefined {
  const [ufrag, pwd] = ['ice-ufrag:', 'ice-pwd:'].map((name) => attribute(fragment, name));
  if (ufrag === undefined || pwd === undefined) return undefined;
  const renewed = answer
    .replace(/^a=ice-ufrag:.*$/gm, `a=ice-ufrag:${ufrag}`)
    .replace(/^a=ice-pwd:.*$/gm, `a=ice-pwd:${pwd}`);
  const found = fragment.split(/\r?\n/).filter((line) => /^a=(candidate:|end-of-candidates)/.test(line));
  // It may name none (4.3.3): then those of the answer are still its.
  if (!found.some((line) => line.startsWith('a=candidate:'))) return renewed;
  const parts = renewed.replace(/^a=(candidate:|end-of-candidates).*(\r?\n|$)/gm, '').split(/(?<=\n)(?=m=)/);
  const taken = parts.findIndex((part) => /^m=\S+ (?!0 )/.test(part));
  return parts.map((part, nth) => (nth === taken ? `${part.trimEnd()}\r\n${found.join('\r\n')}\r\n` : part)).join('');
}

function sectionLines(section: string, session: string, mid: string | undefined, own: readonly IceCandidate[]) {
  const either = (name: string) => attribute(section, `${name}:`) ?? attribute(session, `${name}:`);
  const credentials = ['ice-ufrag', 'ice-pwd'].map((name) => `a=${name}:${either(name) ?? ''}`);
  return [
    section.slice(0, section.search(/\r?\n|$/)),
    ...(mid === undefined ? [] : [`a=mid:${mid}`]),
    ...credentials,
    ...own.map(({ candidate }) => (candidate === '' ? 'a=end-of-candidates' : `a=${candidate}`)),
  ];
}

/** What follows `a=NAME` in its first line; a name that has a value ends with a colon. */
function attribute(text: string, name: string): string | undefined {
  const line = text.split(/\r?\n/).find((one) => one.startsWith(`a=${name}`));
  return line?.slice(name.length + 2);
}
