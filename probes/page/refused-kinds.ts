import { isRejected } from '../../model/sdp-section.js';

/** Kinds of media that a description refuses (port 0; RFC 3264, 6) or leaves without any in each of their sections. */
export function refusedKinds(sdp: string): readonly string[] {
  const sections = sdp.split(/\r?\n(?=m=)/).slice(1);
  const kindsOf = (some: readonly string[]) => new Set(some.map((section) => /^m=(\S+)/.exec(section)?.[1] ?? ''));
  const isRefused = (section: string) => /^a=inactive\r?$/m.test(section) || isRejected(section);
  const taken = kindsOf(sections.filter((section) => !isRefused(section)));
  const refused = [...kindsOf(sections.filter(isRefused))].filter((kind) => !taken.has(kind));
  return refused.map((kind) => (kind === 'application' ? 'data' : kind));
}
