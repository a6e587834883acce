import { loadConfig } from '../config/config.ts';
import { CodeLogin } from '../identity/oauth/code-login.ts';
import { OAuthAccounts } from '../identity/oauth/oauth-accounts.ts';
import { ProviderRegistry } from '../identity/oauth/provider-registry.ts';
import { TokenVerifier } from '../identity/oauth/token-verifier.ts';
import { openTestIdentity } from './open-test-identity.ts';

interface TestContext {
  after(end: () => Promise<void>): void;
}

/** For tests: sign-in through these providers on the embedded parts in memory. Tokens are judged by the real clock. */
export async function openTestSignIn(context: TestContext, providers: Readonly<Record<string, unknown>>) {
  const parts = await openTestIdentity(context);
  const { users, coordination, engine, lines, events } = parts;
  const flags = { 'auth.oauth.enabled': true, 'auth.oauth.providers': providers };
  const { auth } = loadConfig({ environment: {}, flags });
  const logTo = (level: string) => (entry: object, message: string) => void lines.push({ level, entry, message });
  const log = { info: logTo('info'), warn: logTo('warn'), error: logTo('error') };
  const audit = { write: (event: (typeof events)[number]) => void events.push(event) };
  const registry = new ProviderRegistry({ settings: auth.oauth, log });
  const verifier = new TokenVerifier({ registry, log });
  const oauthAccounts = new OAuthAccounts({ registry, users, coordination, engine, audit, log });
  const codeLogin = new CodeLogin({ registry, verifier, accounts: oauthAccounts, coordination, audit, log });
  return { ...parts, registry, verifier, oauthAccounts, codeLogin };
}
