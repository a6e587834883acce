import { randomBytes } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';

type Tokens = Pick<Coordination['tokens'], 'get' | 'put'>;

/** Ten years: as long as a session could be kept that was opened before. */
const LIFETIME = 10 * 365 * 24 * 3_600_000;

/**
 * The generation of the sessions of a user: those of an older one are void, also after the account is switched on again. Undefined until all of
 * them were ended for the first time. @throws Unavailable
 */
export async function sessionGeneration(tokens: Tokens, username: string): Promise<string | undefined> {
  const generation = await tokens.get(keyOf(username));
  return typeof generation === 'string' ? generation : undefined;
}

/** Ends all sessions of a user. @throws Unavailable */
export async function beginSessionGeneration(tokens: Tokens, username: string): Promise<void> {
  await tokens.put(keyOf(username), randomBytes(12).toString('base64url'), LIFETIME);
}

function keyOf(username: string): string {
  return `session-generation:${encodeURIComponent(username)}`;
}
