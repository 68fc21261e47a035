import { createHash, type KeyObject } from 'node:crypto';

/** SHA-256 of a certificate's public key (SubjectPublicKeyInfo), base64: by it Chromium knows an exempt certificate. */
export function publicKeyDigest(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}
