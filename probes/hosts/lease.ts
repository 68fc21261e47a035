/** Browsers end within 15 s of the conductor's last word: this long until it is missed, and the rest for ending them. */
export const usualLeaseMs = 10_000;
