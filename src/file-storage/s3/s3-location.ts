import { InvalidInput } from '../../errors/errors.ts';

/** The location of files on an S3 server. */
export interface S3Location {
  /** `https://host:port`. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Begins the key of every file: empty, or `folder/`. */
  readonly prefix: string;
  readonly region: string;
  /** Credentials from the user part of the address. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

/** Reads an address; region: `region`, else an Amazon host's, else us-east-1. Throws `invalid_setting`. */
export function s3Location(address: string, region?: string): S3Location {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw refused('it does not begin with http:// or https://.');
  }
  const [bucket = '', ...folders] = url.pathname.split('/').filter((part) => part !== '');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw refused('its path has to begin with a bucket: 3 to 63 lower-case letters, digits, - and dots.');
  }
  if (url.search !== '' || url.hash !== '') throw refused('it may not have ? or #.');
  if ((url.username === '') !== (url.password === ''))
    throw refused('it has a key without a secret, or a secret without a key.');
  return {
    endpoint: url.origin,
    bucket,
    prefix: folders.map((folder) => `${decodeURIComponent(folder)}/`).join(''),
    region: region ?? /^s3[.-]([a-z0-9-]+)\.amazonaws\.com/.exec(url.hostname)?.[1] ?? 'us-east-1',
    credentials:
      url.username === ''
        ? undefined
        : { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) },
  };
}

/** The address itself is not repeated: it may hold a secret. */
function refused(reason: string): InvalidInput {
  return new InvalidInput(
    'invalid_setting',
    `files.url is not the address of an S3 bucket, https://host/bucket: ${reason}`,
  );
}
