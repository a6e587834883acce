import { InvalidInput } from '../../errors/errors.ts';
import { uriFile } from '../formats/uri-file.ts';

/** Ways to write an address so that it is not followed by accident, and what they stand for. */
const DEFANGED: readonly (readonly [RegExp, string])[] = [
  [/[([{](?:\.|dot)[)\]}]/gi, '.'],
  [/\\\./g, '.'],
  [/[([{]\/[)\]}]/g, '/'],
  [/[([{]:[)\]}]/g, ':'],
  [/[([{]:\/\/[)\]}]/g, '://'],
  [/^hxx?p(s?)\[?:\]?\/\//i, 'http$1://'],
  [/^fxp(s?)\[?:\]?\/\//i, 'ftp$1://'],
];

/** Returns an address as programs write it: `hxxps://a[.]example` gives `https://a.example`. */
export function refang(address: string): string {
  return DEFANGED.reduce((text, [pattern, plain]) => text.replaceAll(asGlobal(pattern), plain), address);
}

function asGlobal(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern, `${pattern.flags}g`);
}

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
