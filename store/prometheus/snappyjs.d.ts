/** The package brings no types of its own. */
declare module 'snappyjs' {
  /** Snappy's raw form, without frames. */
  export function compress(bytes: Uint8Array): Uint8Array;
}
