import { verifyApiKeySecret } from '../identity/keys/api-key-records.ts';
import { PasswordVerifier } from '../identity/passwords/passwords.ts';
import type { UserStore } from '../identity/user-store.ts';
import type { Analyst } from './triage-courses.ts';

const DEMO_USERNAMES: readonly Analyst[] = ['admin', 'user', 'huey', 'shawn-h', 'goose'];

/** Returns the names of demo users whose publicly known password or key is still valid. */
export async function findDemoCredentials(users: Pick<UserStore, 'get'>): Promise<readonly string[]> {
  const passwords = new PasswordVerifier();
  const found: string[] = [];
  for (const username of DEMO_USERNAMES) {
    const user = await users.get(username);
    if (user === undefined || !user.is_active) continue;
    const secrets = Object.values(user.apikeys ?? {}).map((key) => verifyApiKeySecret(username, key.password));
    const known = await Promise.all([passwords.verify(username, user.password), ...secrets]);
    if (known.includes(true)) found.push(username);
  }
  return found;
}
