import { InvalidInput } from '../../errors/errors.ts';
import { uriFile } from '../formats/uri-file.ts';

/**
 * Returns the AL-URI file that stands for an address. Nothing is fetched.
 * @throws InvalidInput `invalid_url` when the address has a scheme and no host
 */
export function submittedUriFile(address: string): Buffer {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(address)?.[0];
  if (scheme !== undefined && !/^\/\/[^/?#]/.test(address.slice(scheme.length))) {
    throw new InvalidInput(
      'invalid_url',
      `"${address.slice(0, 200)}" is not an address that can be submitted: after ${scheme} it must have // and a host.`,
      { response: {}, at: 'url' },
    );
  }
  return Buffer.from(uriFile(address));
}
