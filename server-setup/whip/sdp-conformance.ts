import type { StandardCheck } from '../server-kind.js';
import { isSdp } from './refusals.js';
import { should, verdict } from './standard-check.js';

/** What RFC 9725 asks of the SDP that answers an offer of a publisher. */
export function answerChecks(answer: string): readonly StandardCheck[] {
  if (!isSdp(answer)) return [verdict('4.2 MUST be an SDP answer', 'the answer is no SDP', false)];
  const sections = answer.split(/\r?\n(?=m=)/).slice(1);
  const taken = sections.filter((section) => !/^m=\S+ 0 /.test(section));
  const havingLine = (line: string) => taken.filter((section) => section.split(/\r?\n/).includes(line)).length;
  const [receiving, muxed] = [havingLine('a=recvonly'), havingLine('a=rtcp-mux')];
  const candidates = answer.match(/^a=candidate:/gm)?.length ?? 0;
  const bundles = /^a=group:BUNDLE /m.test(answer);
  const refused = sections.length - taken.length;
  const of = (some: number) => `${some} of ${taken.length} sections`;
  return [
    verdict('4.2 MUST be in each', `recvonly: ${of(receiving)}`, receiving === taken.length),
    verdict('4.3.2 SHALL all be there', `candidates in the answer: ${candidates}`, candidates > 0),
    verdict('4.4.1 SHALL be used', `BUNDLE: ${bundles ? 'yes' : 'no'}`, bundles),
    verdict('4.4.1 SHALL be in each', `rtcp-mux: ${of(muxed)}`, muxed === taken.length),
    should('4.4.3 SHOULD NOT be refused one by one', `refused sections: ${refused}`, refused === 0),
  ];
}
