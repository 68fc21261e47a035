/** Browsers end within 15 s of the conductor's last word: this long until it is missed, the rest to end them. */
export const usualLeaseMs = 10_000;
