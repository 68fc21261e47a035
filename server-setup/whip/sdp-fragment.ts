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
  const lines = [...(bundle === undefined ? [] : [`a=group:BUNDLE${bundle}`]), ...parts];
  return `${lines.join('\r\n')}\r\n`;
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
