/**
 * The server's description with the wish that Opus leaves silence out (`usedtx`; RFC 7587, 6.1). Receivers wish that,
 * and apps write it into the server's words for their own senders.
 */
export function withPauses(sdp: string): string {
  const sections = sdp.split(/^(?=m=)/m);
  return sections.map((section) => (section.startsWith('m=audio') ? wishing(section) : section)).join('');
}

function wishing(section: string): string {
  const opus = /^a=rtpmap:(\d+) opus\/.*$/im;
  const type = opus.exec(section)?.[1];
  if (type === undefined || /\busedtx=/.test(section)) return section;
  const format = new RegExp(`^a=fmtp:${type} .*$`, 'm');
  return format.test(section)
    ? section.replace(format, '$&;usedtx=1')
    : section.replace(opus, `$&\r\na=fmtp:${type} usedtx=1`);
}
