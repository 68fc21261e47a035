/** The cheapest that Opus has (RFC 7587, 6.1): narrow band, 6 kbit/s. Nobody hears it. */
const cheapOpus = 'maxplaybackrate=8000;maxaveragebitrate=6000';

/**
 * The server's answer with another wish for our sound, which never leaves the page: each packet is replaced with an
 * Opus packet of the clip. Our own sender alone reads it; payload type, RTP clock and packet rate stay those of Opus.
 *
 * Opus is named L16 (RFC 3551, 4.5.11): plain samples cost next to nothing. Not so where sound takes part in
 * transport-wide congestion control: there the 768 kbit/s of plain samples would count in the estimate, so the cheapest
 * Opus is made.
 */
export function withCheapSound(answer: string): string {
  const sections = answer.split(/^(?=m=)/m);
  return sections.map((section) => (section.startsWith('m=audio ') ? cheapened(section) : section)).join('');
}

function cheapened(audio: string): string {
  const payloadType = /^a=rtpmap:(\d+) opus\/48000/im.exec(audio)?.[1];
  if (payloadType === undefined) return audio;
  const counts = /^a=(rtcp-fb:\S+ transport-cc|extmap:.*transport-wide-cc)/im.test(audio);
  const bare = audio.replace(new RegExp(`^a=fmtp:${payloadType} .*\\r?\\n`, 'm'), '');
  const [codec, wish] = counts ? ['$2', cheapOpus] : ['L16/48000', 'ptime=20'];
  return bare.replace(
    new RegExp(`^(a=rtpmap:${payloadType}) (.*?)(\\r?\\n)`, 'm'),
    `$1 ${codec}$3a=fmtp:${payloadType} ${wish}$3`,
  );
}
