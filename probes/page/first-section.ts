import { isRejected } from '../../model/sdp-section.js';

const lineOf = (section: string, name: string): string[] =>
  section.split(/\r?\n/).filter((line) => line.startsWith(name));
const transportNames = ['a=ice-ufrag:', 'a=ice-pwd:', 'a=ice-options:', 'a=fingerprint:', 'a=setup:', 'a=candidate:'];

/**
 * An answer that refuses its first section, said so that a browser with max-bundle takes it. There all sections share
 * the transport of the first one offered, and a browser applies no answer without it, though the first section that is
 * taken has it (RFC 8843, 7.3). So the first stays, with nothing in it and with that transport. Any other answer is
 * returned as it is.
 */
export function withFirstSection(answer: string, offer: string): string {
  const [session = '', first, ...rest] = answer.split(/\r?\n(?=m=)/);
  const taken = rest.find((section) => !isRejected(section));
  const offered = offer.split(/\r?\n(?=m=)/)[1];
  if (first === undefined || taken === undefined || offered === undefined || !isRejected(first)) return answer;
  const [, kind = '', protocol = '', format = ''] = /^m=(\S+) \S+ (\S+) (\S+)/.exec(offered) ?? [];
  const [mid = ''] = lineOf(offered, 'a=mid:');
  const own = (name: string) => [lineOf(taken, name), lineOf(session, name)].find(({ length }) => length > 0) ?? [];
  const kept = [
    `m=${kind} 9 ${protocol} ${format}`,
    'c=IN IP4 0.0.0.0',
    ...transportNames.flatMap(own),
    mid,
    'a=inactive',
    'a=rtcp-mux',
    ...['rtpmap', 'fmtp'].flatMap((name) => lineOf(offered, `a=${name}:${format} `)),
  ];
  const bundled = session.replace(/^(a=group:BUNDLE)\b/m, `$1 ${mid.slice('a=mid:'.length)}`);
  return [bundled, kept.join('\r\n'), ...rest].join('\r\n');
}
