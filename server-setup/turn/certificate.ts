import { X509Certificate } from 'node:crypto';
import { publicKeyDigest } from '../../host/public-key-digest.js';

/** RFC 5246, 7.4.1.4.1 and RFC 8422, 5.1.1: ECDSA with SHA-256 on secp256r1. */
const ecdsaSha256 = { signature: 3, hash: 4 } as const;
const secp256r1 = 23;

/** Signed by itself: nobody vouches for it, so that nobody but the browsers of one trial is told to accept its key. */
export async function makeCertificate() {
  // Loaded late: two hundred files that only runs with TURN over TLS need.
  const { createSelfSignedCertificate } = await import('werift');
  const { certPem, keyPem } = await createSelfSignedCertificate(ecdsaSha256, secp256r1);
  const publicKeySha256 = publicKeyDigest(new X509Certificate(certPem).publicKey);
  return { certificatePem: certPem, keyPem, publicKeySha256 };
}
