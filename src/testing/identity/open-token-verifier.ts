import { loadConfig } from '../../config/config.ts';
import { ProviderRegistry } from '../../identity/oauth/provider-registry.ts';
import { TokenVerifier } from '../../identity/oauth/token-verifier.ts';
import { VerifiedCredentials } from '../../identity/verified-credentials.ts';

/** For tests: the verifier with these providers, a clock that can be set forward, and what was logged. */
export function openTokenVerifier(
  providers: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  more: Readonly<Record<string, unknown>> = {},
) {
  const flags = { 'auth.oauth.enabled': true, 'auth.oauth.providers': providers, ...more };
  const settings = loadConfig({ environment: { SVC_CONF_FOLDER: import.meta.dirname }, flags }).auth.oauth;
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  const lines: { readonly entry: object; readonly message: string }[] = [];
  const write = (entry: object, message: string) => void lines.push({ entry, message });
  const log = { info: write, warn: write, error: write };
  const registry = new ProviderRegistry({ settings, log, now });
  return {
    registry,
    verifier: new TokenVerifier({ registry, credentials: new VerifiedCredentials(), log, now }),
    clock,
    lines,
    log,
    now,
  };
}
