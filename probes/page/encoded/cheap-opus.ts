/** The cheapest that Opus has (RFC 7587, 6.1): narrow band, 6 kbit/s. Nobody hears it. */
const cheapOpus = 'maxplaybackrate=8000;maxaveragebitrate=6000';

/**
 * The server's answer with its wishes for our Opus replaced by the cheapest: they hold for what our encoder makes, which
 * never leaves the page.
 */
export function withCheapOpus(answer: string): string {
  const payloadType = /^a=rtpmap:(\d+) opus\/48000/im.exec(answer)?.[1];
  if (payloadType === undefined) return answer;
  const rest = answer.replace(new RegExp(`^a=fmtp:${payloadType} .*\\r?\\n`, 'm'), '');
  return rest.replace(
    new RegExp(`^(a=rtpmap:${payloadType} .*)(\\r?\\n)`, 'm'),
    `$1$2a=fmtp:${payloadType} ${cheapOpus}$2`,
  );
}
