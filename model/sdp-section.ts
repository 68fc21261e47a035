/** Whether a media section of a description is rejected: port 0, and no share in another's transport (RFC 3264, 6). */
export function isRejected(section: string): boolean {
  return /^m=\S+ 0 /.test(section) && !/^a=bundle-only\r?$/m.test(section);
}
