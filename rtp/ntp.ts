/** Seconds between the NTP era's start in 1900 and the Unix epoch (RFC 5905). */
const eraOffsetS = 2_208_988_800;

export interface NtpTime {
  readonly ntpSeconds: number;
  readonly ntpFraction: number;
}

/** `nowMs` since the Unix epoch. */
export function toNtp(nowMs: number): NtpTime {
  const seconds = nowMs / 1000 + eraOffsetS;
  const whole = Math.floor(seconds);
  return { ntpSeconds: whole % 2 ** 32, ntpFraction: Math.min(0xffffffff, Math.floor((seconds - whole) * 2 ** 32)) };
}

export function fromNtp(time: NtpTime): number {
  return (time.ntpSeconds - eraOffsetS + time.ntpFraction / 2 ** 32) * 1000;
}

/** The middle 32 bits, in 1/65536 s, as receiver reports carry them. */
export function middleOf(time: NtpTime): number {
  return (((time.ntpSeconds & 0xffff) << 16) | (time.ntpFraction >>> 16)) >>> 0;
}
