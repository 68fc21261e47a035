/**
 * No connection can wait longer for an answer: a peer that has not consented again for 30 s must be sent nothing more
 * (RFC 7675 5.1), so the connection that a longer round trip was read on would be gone.
 */
const longestRoundTripMs = 30_000;

/**
 * Whether a round trip can be one. It is never longer than the leg has lived, nor than `longestRoundTripMs`. What real
 * servers send can say otherwise: where a sender report arrives just after the server took the time for its receiver
 * report, the delay since that report (DLSR, RFC 3550 6.4.1) underflows, and 1,526 s are added to the true round trip.
 *
 * @param legAgeMs left out where it is not known, as in a stored sample
 */
export function isPossibleRoundTrip(rttMs: number, legAgeMs = longestRoundTripMs): boolean {
  return rttMs >= 0 && rttMs <= Math.min(legAgeMs, longestRoundTripMs);
}
