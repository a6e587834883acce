import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { configSchema } from '../config/config-schema.ts';
import { InvalidInput, messageOf } from '../errors/errors.ts';
import type { InputSchema } from '../input/input-reader.ts';

const CERTIFICATE_FILE = /\.(?:crt|pem)$/i;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs;
const SECURE_ADDRESS = /^(?:https|rediss):/i;

/** Need not be there. */
const { default: USUAL_FOLDER }: InputSchema = configSchema.properties.cert_directory;

/** Returns the authorities in the folder, as PEM, if an address uses TLS; throws as `readAuthorities`. */
export function authoritiesFor(addresses: readonly string[], folder: string): readonly string[] {
  return addresses.some((address) => SECURE_ADDRESS.test(address)) ? readAuthorities(folder) : [];
}

/** Makes every connection of this process, `fetch` too, trust what `authoritiesFor` returns. */
export function trustAuthoritiesFor(addresses: readonly string[], folder: string): void {
  const authorities = authoritiesFor(addresses, folder);
  if (authorities.length > 0) setDefaultCACertificates([...getCACertificates('default'), ...authorities]);
}

/**
 * Reads the certificates (`*.crt`, `*.pem`) in the folder; the default folder may be missing.
 * @throws InvalidInput `invalid_certificates` when a configured folder is missing, or a file cannot be read
 */
export function readAuthorities(folder: string, usual: unknown = USUAL_FOLDER): readonly string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (folder === usual && error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw unreadable(folder, error);
  }
  const found: string[] = [];
  for (const name of names.filter((candidate) => CERTIFICATE_FILE.test(candidate)).toSorted()) {
    const path = join(folder, name);
    try {
      const text = readFileSync(path, 'utf8');
      // A key of a client may lie in the same folder.
      if (!text.includes('-----BEGIN CERTIFICATE-----')) continue;
      // OpenSSL passes over one that is torn, and then no one is trusted.
      for (const certificate of text.match(CERTIFICATE) ?? [text]) new X509Certificate(certificate);
      found.push(text);
    } catch (error) {
      throw unreadable(path, error);
    }
  }
  return found;
}

function unreadable(path: string, cause: unknown): InvalidInput {
  const detail = messageOf(cause);
  return new InvalidInput(
    'invalid_certificates',
    `SVC_CERT_DIRECTORY: the certificates in ${path} cannot be read (${detail}).`,
    { cause },
  );
}
