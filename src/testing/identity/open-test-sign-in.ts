import { CodeLogin } from '../../identity/oauth/code-login.ts';
import { openTestIdentity } from './open-test-identity.ts';

interface TestContext {
  after(end: () => Promise<void>): void;
}

/** For tests: sign-in through these providers, on the embedded parts in memory. */
export async function openTestSignIn(
  context: TestContext,
  providers: Readonly<Record<string, unknown>>,
  flags: Readonly<Record<string, unknown>> = {},
) {
  const parts = await openTestIdentity(context, {
    'auth.oauth.enabled': true,
    'auth.oauth.providers': providers,
    ...flags,
  });
  const { registry, oauth, coordination, audit, log } = parts;
  return { ...parts, codeLogin: new CodeLogin({ registry, ...oauth, coordination, audit, log }) };
}
