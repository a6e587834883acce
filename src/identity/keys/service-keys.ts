import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a key with its secret is one of the configured ones. */
export type ServiceKeyVerdict = 'right' | 'wrong_secret' | 'unknown';

/** API keys of programs, as the settings name them: `enrichment.api_keys`. Holds digests of the secrets, not the secrets. */
export class ServiceKeys {
  readonly #digests: ReadonlyMap<string, Buffer>;

  constructor(secrets: Readonly<Record<string, string>>) {
    this.#digests = new Map(Object.entries(secrets).map(([name, secret]) => [name, digest(secret)]));
  }

  /** Takes the same time for every secret. */
  verify(name: string, secret: string): ServiceKeyVerdict {
    const expected = this.#digests.get(name);
    // An unknown name is compared, too: with what no digest is equal to.
    const equal = timingSafeEqual(digest(secret), expected ?? NO_DIGEST);
    if (expected === undefined) return 'unknown';
    return equal ? 'right' : 'wrong_secret';
  }
}

const NO_DIGEST = Buffer.alloc(32);

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
