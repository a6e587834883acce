import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { newId } from '../../documents/schema/values/field-values.ts';
import { Unauthenticated } from '../../errors/errors.ts';
import { type Actor, type Privilege, SERVICES, type ServiceName } from '../actor.ts';
import { attributed } from '../audit/audit-log.ts';
import type { Caller } from '../authenticator.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { UserStore } from '../user-store.ts';
import type { InstallationKeys } from './installation-keys.ts';

export interface InstallationTokensDependencies {
  readonly keys: Pick<InstallationKeys, 'all' | 'find' | 'published'>;
  readonly users: Pick<UserStore, 'recent'>;
  readonly log: IdentityLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** The recipient of a token: a service of this installation, or a source of the enrichment service. */
export type TokenAudience = { readonly service: ServiceName } | { readonly source: string };

export interface InstallationTokenRequest {
  /** The account on whose behalf the recipient is called. */
  readonly actor: Pick<Actor, 'username' | 'privileges' | 'impersonator'>;
  readonly audience: TokenAudience;
  /** The service that calls: claim `azp`. */
  readonly party: ServiceName;
  /** `read`: R alone. `own`: R and W, as far as the credential of the caller has them. */
  readonly rights: 'read' | 'own';
}

const TYPE = 'triad+jwt';
const ALGORITHM = 'ES256';
/** `{"typ":"triad+jwt"` in base64url: how these tokens begin, and no valid one of a provider. */
const BEGINNING = Buffer.from(`{"typ":"${TYPE}"`).toString('base64url');
const MAX_LENGTH = 4096;
/** Seconds. */
const LIFETIME = 60;
/** Seconds by which the clocks of the processes may differ. */
const LEEWAY = 5;
/** Never account changes: the extended rights of a caller are not lent. */
const LENT: readonly Privilege[] = ['R', 'W'];
const READ: readonly Privilege[] = ['R'];
const EXPIRED = 'expired';

/** Returns whether a bearer token is one of these, valid or not. Parses nothing. */
export function looksLikeInstallationToken(token: string): boolean {
  return token.startsWith(BEGINNING);
}

/** Returns the claim `aud`, which no name of a source can make that of a service. */
export function audienceClaim(audience: TokenAudience): string {
  return 'service' in audience ? `service:${audience.service}` : `source:${audience.source}`;
}

/**
 * Issues and verifies the tokens with which a service of this installation calls another one, or a
 * source, on behalf of an account: signed with ES256, valid for a minute, for one recipient. Safe for concurrent use.
 */
export class InstallationTokens {
  readonly #dependencies: InstallationTokensDependencies;
  readonly #now: () => number;

  constructor(dependencies: InstallationTokensDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
  }

  /** Returns a new token. @throws Unavailable `installation_keys_unavailable`, or without coordination */
  async issue({ actor, audience, party, rights }: InstallationTokenRequest): Promise<string> {
    const { issuer, keys } = await this.#dependencies.keys.all();
    const [key] = keys;
    if (key === undefined) throw new Error('the installation has no key');
    const wanted = rights === 'read' ? READ : LENT;
    const now = Math.floor(this.#now() / 1000);
    const { username, impersonator, privileges } = actor;
    return new SignJWT({
      iss: issuer,
      sub: username,
      // Plugins of the public system read the user from here; without it they list no actions.
      preferred_username: username,
      aud: audienceClaim(audience),
      azp: party,
      ...(impersonator === undefined ? {} : { act: { sub: impersonator } }),
      scope: wanted.filter((one) => privileges.has(one)).join(' '),
      jti: newId(),
      iat: now,
      exp: now + LIFETIME,
    })
      .setProtectedHeader({ typ: TYPE, alg: ALGORITHM, kid: key.id })
      .sign(key.privateKey);
  }

  /**
   * Returns the account on whose behalf a service calls; it may be disabled.
   * @throws Unauthenticated `token_expired`, `invalid_token` @throws Unavailable while the keys cannot be read
   */
  async verify(token: string, service: ServiceName): Promise<Caller> {
    const claims = await this.#verified(token, service);
    const { sub = '', azp, act, scope } = claims;
    const party = SERVICES.find((one) => one === azp);
    const user = await this.#dependencies.users.recent(sub);
    if (user === undefined || party === undefined) throw this.#refusal(service, user ? 'azp' : 'sub', claims);
    const held = typeof scope === 'string' ? scope.split(' ') : [];
    return {
      user,
      method: 'on_behalf_of',
      privileges: LENT.filter((one) => held.includes(one)),
      impersonator: actorOf(act) ?? party,
      azp: party,
      event: 'on_behalf_of_call',
    };
  }

  /** Returns the public keys in the format of RFC 7517. */
  async keySet() {
    return { keys: await this.#dependencies.keys.published() };
  }

  async #verified(token: string, service: ServiceName): Promise<JWTPayload> {
    if (token.length > MAX_LENGTH) throw this.#refusal(service, 'too_long');
    let issuer = '';
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const found = typeof kid === 'string' ? await this.#dependencies.keys.find(kid) : undefined;
          if (found === undefined) throw new errors.JWKSNoMatchingKey();
          issuer = found.issuer;
          return found.key.publicKey;
        },
        {
          algorithms: [ALGORITHM],
          typ: TYPE,
          audience: audienceClaim({ service }),
          requiredClaims: ['iss', 'sub', 'azp', 'jti', 'iat', 'exp'],
          maxTokenAge: LIFETIME,
          clockTolerance: LEEWAY,
          currentDate: new Date(this.#now()),
        },
      );
      if (payload.iss !== issuer) throw this.#refusal(service, 'iss', payload);
      return payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      if (error instanceof errors.JWTExpired) throw this.#refusal(service, EXPIRED, error.payload, error);
      const claims = error instanceof errors.JWTClaimValidationFailed ? error.payload : undefined;
      const reason = error instanceof errors.JWTClaimValidationFailed ? error.claim : error.code.toLowerCase();
      throw this.#refusal(service, reason, claims, error);
    }
  }

  /** @param claims those of a token with a valid signature */
  #refusal(service: ServiceName, reason: string, claims?: JWTPayload, cause?: unknown): Unauthenticated {
    this.#dependencies.log.info({ service, reason }, `a token of the installation was refused: ${reason}`);
    const options = { cause: cause ?? new Error(reason) };
    const refusal =
      reason === EXPIRED
        ? new Unauthenticated('token_expired', 'Token Expired', options)
        : new Unauthenticated(
            'invalid_token',
            'Something went wrong when decoding your key. Please reauthenticate.',
            options,
          );
    const { sub, azp } = claims ?? {};
    return attributed(refusal, claims && { user: text(sub), azp: text(azp) });
  }
}

function actorOf(act: unknown): string | undefined {
  return typeof act === 'object' && act !== null && 'sub' in act ? text(act.sub) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
