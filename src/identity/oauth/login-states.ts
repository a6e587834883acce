import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { Coordination } from '../../coordination/coordination.ts';
import { whileAvailable } from '../../coordination/while-available.ts';
import { type ErrorOptions, Unauthenticated, Unavailable } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';

/** A login that waits for the browser to come back. */
interface LoginState {
  readonly provider: string;
  readonly service: ServiceName;
  /** Address to which the provider sends the browser. */
  readonly redirectAddress: string;
  /** Undefined when the provider issues no identity token, which would contain it. */
  readonly nonce: string | undefined;
  readonly codeVerifier: string;
}

interface StoredState extends LoginState {
  /** SHA-256 of the binding. */
  readonly binding: string;
  /** SHA-256 of the code with which the state was used. */
  readonly usedCode?: string;
}

/** Seconds in which a browser that was sent to a provider has to come back. */
export const LOGIN_LIFETIME = 600;
const LIFETIME = LOGIN_LIFETIME * 1000;
/** Format of bindings only: a session secret in a cookie of the same name must not become one. */
const BINDING = /^login\.[A-Za-z0-9_-]{43}$/;

/** Stores logins in progress for all processes. Each is valid for ten minutes, for one browser, once. */
export class LoginStates {
  readonly #tokens: Coordination['tokens'];

  constructor({ tokens }: Pick<Coordination, 'tokens'>) {
    this.#tokens = tokens;
  }

  /**
   * Returns the parameters of the login, and `binding`: a secret that the browser has to bring back.
   * @param nonce of the page; undefined generates one, null uses none
   * @param knownBinding of an earlier login of the browser, so that logins in several tabs do not disturb each other
   */
  async begin(
    login: Pick<LoginState, 'provider' | 'service' | 'redirectAddress'>,
    nonce: string | null | undefined,
    knownBinding: string | undefined,
  ) {
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
   * Returns the login of a state, and invalidates the state.
   * @throws Unauthenticated `login_state_mismatch` when it is unknown, expired, used, of another provider, service or
   *   browser; `provider_refused` when the same code came before; Unavailable `provider_logins_unavailable`
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
      timingSafeEqual(Buffer.from(stored.binding), Buffer.from(digest(login.binding ?? '')));
    if (!isOwn) throw mismatch();
    const usedCode = digest(login.code);
    // The used state stays, so that a page that is loaded twice gets the answer that a provider would give.
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

function unavailable(options: ErrorOptions): Unavailable {
  return new Unavailable(
    'provider_logins_unavailable',
    'Logins through an identity provider are not possible now, because the coordination server does not answer. Try again later.',
    options,
  );
}
