import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { InvalidInput } from '../errors/errors.ts';

const CERTIFICATE_FILE = /\.(?:crt|pem)$/i;
const SECURE_ADDRESS = /^(?:https|rediss):/i;

/**
 * PEM texts of the authorities in the folder of `cert_directory`, for servers at these addresses. The folder is read only where one of
 * them is spoken to by TLS.
 * @throws as `readAuthorities`
 */
export function authoritiesFor(addresses: readonly string[], folder: string): readonly string[] {
  return addresses.some((address) => SECURE_ADDRESS.test(address)) ? readAuthorities(folder) : [];
}

/**
 * Makes the authorities in the folder count for connections of this process that say nothing else, `fetch` among them, besides those that count
 * already; where one of these addresses is spoken to by TLS.
 * @throws as `readAuthorities`
 */
export function trustAuthoritiesFor(addresses: readonly string[], folder: string): void {
  const authorities = authoritiesFor(addresses, folder);
  if (authorities.length > 0) setDefaultCACertificates([...getCACertificates('default'), ...authorities]);
}

/**
 * Certificates (`*.crt`, `*.pem`) in the folder, without those files that hold none; none where there is no folder.
 * @throws InvalidInput `invalid_certificates`, when a file cannot be read
 */
export function readAuthorities(folder: string): readonly string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw unreadable(folder, error);
  }
  const found: string[] = [];
  for (const name of names.filter((candidate) => CERTIFICATE_FILE.test(candidate)).toSorted()) {
    const path = join(folder, name);
    try {
      const text = readFileSync(path, 'utf8');
      // A key of a client may lie in the same folder.
      if (text.includes('-----BEGIN CERTIFICATE-----')) found.push(text);
    } catch (error) {
      throw unreadable(path, error);
    }
  }
  return found;
}

function unreadable(path: string, cause: unknown): InvalidInput {
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new InvalidInput('invalid_certificates', `The certificates in ${path} cannot be read (${detail}).`, { cause });
}
