import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { Coordination } from '../../coordination/coordination.ts';
import { whileAvailable } from '../../coordination/while-available.ts';
import { type ErrorOptions, Unauthenticated, Unavailable } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';

/** A login that was begun and waits for the browser to come back. */
export interface LoginState {
  readonly provider: string;
  readonly service: ServiceName;
  /** Where the provider sends the browser. */
  readonly redirectAddress: string;
  /** Undefined: the provider gives no identity token, which would hold it. */
  readonly nonce: string | undefined;
  /** Of PKCE (RFC 7636). */
  readonly codeVerifier: string;
}

export interface BegunLogin {
  readonly state: string;
  readonly nonce: string | undefined;
  readonly codeChallenge: string;
  /** For the browser alone; whoever comes back has to bring it. */
  readonly binding: string;
}

interface StoredState extends LoginState {
  /** SHA-256 of the binding. */
  readonly binding: string;
  /** SHA-256 of the code that was used with it. */
  readonly usedCode?: string;
}

/** Seconds in which a browser that was sent to a provider has to come back. */
export const LOGIN_LIFETIME = 600;
const LIFETIME = LOGIN_LIFETIME * 1000;
/** Nothing else that a browser keeps looks so: the secret of a session, in a cookie of the same name, must not become a binding. */
const BINDING = /^login\.[A-Za-z0-9_-]{43}$/;

/** Logins under way, shared by all processes. Each is good for ten minutes, for one browser, once. */
export class LoginStates {
  readonly #tokens: Coordination['tokens'];

  constructor(parts: { readonly tokens: Coordination['tokens'] }) {
    this.#tokens = parts.tokens;
  }

  /**
   * @param nonce of the page, else one is made; null: none at all
   * @param knownBinding what the browser has from an earlier login, so that logins in several tabs do not disturb each other
   * @throws Unavailable `provider_logins_unavailable`
   */
  async begin(
    login: Pick<LoginState, 'provider' | 'service' | 'redirectAddress'>,
    nonce: string | null | undefined,
    knownBinding: string | undefined,
  ): Promise<BegunLogin> {
    const state = randomState();
    const codeVerifier = randomPKCECodeVerifier();
    const binding =
      knownBinding !== undefined && BINDING.test(knownBinding)
        ? knownBinding
        : `login.${randomBytes(32).toString('base64url')}`;
    const stored: StoredState = {
      ...login,
      nonce: nonce === null ? undefined : (nonce ?? randomNonce()),
      codeVerifier,
      binding: digest(binding),
    };
    await whileAvailable(this.#tokens.put(keyOf(state), stored, LIFETIME), unavailable);
    const codeChallenge = await calculatePKCECodeChallenge(codeVerifier);
    return { state, nonce: stored.nonce, codeChallenge, binding };
  }

  /**
   * The login that this state was made for; it is void afterwards.
   * @throws Unauthenticated `login_state_mismatch`: unknown, expired, used, of another provider or service, or begun in another browser;
   *   `provider_refused` when the same code came before
   * @throws Unavailable `provider_logins_unavailable`
   */
  async finish(
    state: string | undefined,
    login: Pick<LoginState, 'provider' | 'service'> & { readonly code: string; readonly binding: string | undefined },
  ): Promise<LoginState> {
    if (state === undefined || state.length > 512) throw mismatch();
    const stored = (await whileAvailable(this.#tokens.take(keyOf(state)), unavailable)) as StoredState | undefined;
    if (stored === undefined) throw mismatch();
    const isOwn =
      stored.provider === login.provider &&
      stored.service === login.service &&
      isSame(stored.binding, digest(login.binding ?? ''));
    if (!isOwn) throw mismatch();
    const usedCode = digest(login.code);
    // What is left says that it was used, so that a page that is loaded twice is told what a provider would tell it.
    await whileAvailable(
      this.#tokens.put(keyOf(state), { ...stored, codeVerifier: '', usedCode }, LIFETIME),
      unavailable,
    );
    if (stored.usedCode === undefined) return stored;
    if (stored.usedCode === usedCode) throw new Unauthenticated('provider_refused', 'invalid_grant: code not valid');
    throw mismatch();
  }
}

function mismatch(): Unauthenticated {
  return new Unauthenticated(
    'login_state_mismatch',
    'mismatching_state: CSRF Warning! State not equal in request and response.',
  );
}

function keyOf(state: string): string {
  return `oauth-login:${digest(state)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isSame(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

function unavailable(options: ErrorOptions): Unavailable {
  return new Unavailable(
    'provider_logins_unavailable',
    'Nobody can log in through an identity provider now, because the coordination server does not answer. Try again later.',
    options,
  );
}
