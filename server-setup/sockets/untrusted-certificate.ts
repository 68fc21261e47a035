import { LoadlineError } from '../../model/errors.js';

/**
 * What Node says when a certificate is not accepted: the codes of OpenSSL's verification
 * (X509_verify_cert_error_string(3)) and its own for a name that is not in it
 * (https://nodejs.org/api/tls.html#x509-certificate-error-codes).
 */
const refusedCertificates = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The error for a server whose certificate was not accepted; nothing if `error` has another cause. */
export function untrustedCertificate(where: string, error: unknown): LoadlineError | undefined {
  const [refused] = [error, error instanceof Error ? error.cause : undefined].filter(
    (one): one is NodeJS.ErrnoException =>
      one instanceof Error && refusedCertificates.has((one as NodeJS.ErrnoException).code ?? ''),
  );
  if (refused === undefined) return undefined;
  return new LoadlineError('E_SERVER_PROTOCOL', `The certificate of ${where} is not trusted.`, {
    where,
    why: refused.message,
    todo: 'use a name that is in the certificate; where its authority is your own, name a PEM file with it in NODE_EXTRA_CA_CERTS',
    cause: error,
  });
}
