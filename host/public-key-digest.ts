import { createHash, type KeyObject } from 'node:crypto';

/** SHA-256 of a certificate's public key (SubjectPublicKeyInfo), base64: what Chromium knows an exempt certificate by. */
export function publicKeyDigest(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}
