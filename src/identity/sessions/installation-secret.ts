import { randomBytes } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { Unavailable } from '../../errors/errors.ts';

export interface InstallationSecretDependencies {
  readonly coordination: Pick<Coordination, 'tokens' | 'locks'>;
  /** From the configuration; undefined: one is made at the first use and kept for all processes. */
  readonly configured: string | undefined;
}

const KEY = 'installation-secret';
const LOCK = 'installation-secret';
/** Ten years, which is longer than any installation keeps its coordination server. */
const LIFETIME = 10 * 365 * 24 * 3_600_000;
const LEASE = 10_000;
const WAIT = 5_000;

/** Returns a concurrency-safe reader of the installation's secret; throws `secret_unavailable`. */
export function installationSecret({
  coordination,
  configured,
}: InstallationSecretDependencies): () => Promise<string> {
  let known: Promise<string> | undefined;
  return () => {
    if (configured !== undefined) return Promise.resolve(configured);
    known ??= readOrMake(coordination).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

async function readOrMake({ tokens, locks }: InstallationSecretDependencies['coordination']): Promise<string> {
  const stored = await tokens.get(KEY);
  if (typeof stored === 'string') return stored;
  const lock = await locks.acquire(LOCK, LEASE, { wait: WAIT });
  if (lock === undefined) {
    throw new Unavailable(
      'secret_unavailable',
      'The secret of this installation is being made by another process and was not ready in time. Try again.',
    );
  }
  try {
    const made = await tokens.get(KEY);
    if (typeof made === 'string') return made;
    const secret = randomBytes(48).toString('base64url');
    await tokens.put(KEY, secret, LIFETIME);
    return secret;
  } finally {
    await lock.release();
  }
}
