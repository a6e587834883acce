import { messageOf, Unavailable } from '../../errors/errors.ts';
import type { S3Location } from './s3-location.ts';

/** Explanations for operators, by the server's error code. */
const CURES: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'it does not know the access key. Check files.access_key.',
  SignatureDoesNotMatch: 'the secret key does not belong to the access key. Check files.secret_key.',
  AccessDenied:
    'it denies access. Give the access key the right to list the bucket and to read, write and delete in it.',
  Forbidden: 'it denies access. Check the access key and its rights.',
  ExpiredToken: 'the session of the credentials has ended.',
  CredentialsProviderError:
    'there are no credentials. Set files.access_key and files.secret_key, or the AWS_ variables.',
  NoSuchBucket: 'the bucket does not exist. Make it, or set files.create_bucket.',
  RequestTimeTooSkewed: 'the clocks of this machine and of the server differ. Set them.',
  AuthorizationHeaderMalformed: 'it expects another region. Set files.region.',
  PermanentRedirect: 'the bucket lies in another region. Set files.region.',
  QuotaExceeded: 'its quota is used up.',
  ENOTFOUND: 'the name of its host is not known.',
  ECONNREFUSED: 'nothing listens there.',
  ECONNRESET: 'it closed the connection.',
  EPIPE: 'it closed the connection.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is signed by an authority that is not trusted. Put that into cert_directory.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed and not trusted. Put it into cert_directory.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified. Put its authority into cert_directory.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate cannot be verified. Put its authority into cert_directory.',
  CERT_HAS_EXPIRED: 'its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host.',
};

/** The fields of an error of the client, the server or the connection. */
export function s3ErrorNames(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const code = 'Code' in error ? error.Code : undefined;
  const systemCode = 'code' in error ? error.code : undefined;
  return [code, error.name, systemCode].filter((name) => typeof name === 'string');
}

/** HTTP status of the server's answer, if there was one. */
export function s3Status(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  return (error.$metadata as { readonly httpStatusCode?: number } | undefined)?.httpStatusCode;
}

export function isMissing(error: unknown): boolean {
  return s3ErrorNames(error).some((name) => name === 'NoSuchKey' || name === 'NotFound');
}

export function s3Unavailable({ endpoint, bucket }: S3Location, cause: unknown): Unavailable {
  const cure = s3ErrorNames(cause)
    .map((name) => CURES[name])
    .find((words) => words !== undefined);
  const status = s3Status(cause);
  const said = messageOf(cause);
  const answered = status === undefined ? `${said}.` : `it answered ${status}: ${said}.`;
  const message = `The bucket ${bucket} at ${endpoint} cannot be used: ${cure ?? answered}`;
  return new Unavailable('file_storage_unavailable', message, { cause, retryAfter: 5 });
}

/**
 * A server that accepts connections and does not answer.
 * Its name keeps the client from trying again, which would double the wait.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(timeout: number, options?: ErrorOptions) {
    super(`it did not answer within ${timeout / 1000} s`, options);
  }
}
