import { hash } from 'node:crypto';
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { ANALYSIS_ROLES } from '../../documents/kinds/analysis-roles.ts';
import type { User } from '../../documents/kinds/user.ts';
import { isSameJson } from '../../documents/schema/plain-objects.ts';
import { newId } from '../../documents/schema/values/field-values.ts';
import { InvalidInput, Unauthenticated } from '../../errors/errors.ts';
import { type UserStore, userMissing } from '../user-store.ts';
import type { CredentialsOfKind, VerifiedCredentials } from '../verified-credentials.ts';

/** The permission of a client, as it is stored with the user and signed into the token. */
export type AllowedClient = NonNullable<User['apps']>[string];

interface OwnTokensDependencies {
  readonly users: UserStore;
  readonly credentials: VerifiedCredentials;
  /** `ui.secret_key` of the public system, whose tokens stay valid with the same secret. */
  readonly secret: () => Promise<string>;
}

/** The contents of a token with a verified signature. */
interface Signed {
  readonly username: string;
  readonly tokenId: string;
  readonly payload: AllowedClient;
}

const ALGORITHM = 'HS256';
/** `{"alg":"HS256",` in base64url: the beginning of these tokens, and never of those of providers. */
const BEGINNING = 'eyJhbGciOiJIUzI1NiIs';
const MAX_LENGTH = 8192;
const MAX_CLIENTS = 100;
const FIELDS = ['client_id', 'netloc', 'roles', 'scope', 'server'] as const;

/** Returns whether a bearer token is one of these, valid or not. Parses no token of a provider. */
export function looksLikeOwnToken(token: string): boolean {
  return token.startsWith(BEGINNING) && token.length <= MAX_LENGTH && readHeader(token) !== undefined;
}

/**
 * Issues and verifies tokens with which a client calls the analysis service on behalf of a user:
 * signed with HS256, valid until the user withdraws the permission (contract/analysis.md section 2.6). Safe for concurrent use.
 */
export class OwnTokens {
  readonly #users: UserStore;
  readonly #secret: OwnTokensDependencies['secret'];
  readonly #signed: CredentialsOfKind<Signed>;

  constructor(dependencies: OwnTokensDependencies) {
    this.#users = dependencies.users;
    this.#secret = dependencies.secret;
    this.#signed = dependencies.credentials.ofKind('own_token');
  }

  /** Permits a client and signs its token; throws `user_missing`, `too_many_clients`. */
  async issue(username: string, client: AllowedClient): Promise<{ readonly token: string; readonly isNew: boolean }> {
    const { tokenId, isNew } = await retryOnConflict(async () => {
      const stored = await this.#users.getVersioned(username);
      if (!stored) throw userMissing(username);
      const apps = stored.document.apps ?? {};
      const known = Object.keys(apps).find((id) => isSame(apps[id], client));
      if (known !== undefined) return { tokenId: known, isNew: false };
      if (Object.keys(apps).length >= MAX_CLIENTS) {
        throw new InvalidInput(
          'too_many_clients',
          `You allowed ${MAX_CLIENTS} clients to call in your name already. Forget one of them first.`,
        );
      }
      const id = newId();
      const value = { ...client, roles: [...client.roles] };
      await this.#users.update(username, [{ op: 'set', path: `apps.${id}`, value }], { ifVersion: stored.version });
      return { tokenId: id, isNew: true };
    });
    const token = await new SignJWT({ ...client })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', token_id: tokenId, user: username })
      .sign(await this.#keyOf(tokenId));
    return { token, isNew };
  }

  /** Withdraws and returns a permission; its tokens end at once here, within a second elsewhere. */
  async forget(username: string, tokenId: string): Promise<AllowedClient | undefined> {
    return retryOnConflict(async () => {
      const stored = await this.#users.getVersioned(username);
      const apps = stored?.document.apps ?? {};
      if (!stored || !Object.hasOwn(apps, tokenId)) return undefined;
      await this.#users.update(username, [{ op: 'remove_at', path: 'apps', key: tokenId }], {
        ifVersion: stored.version,
      });
      return apps[tokenId];
    });
  }

  /** Returns user, client and roles; throws `invalid_token` if it is foreign or its permission withdrawn. */
  async verify(token: string) {
    const signed = await this.#signedOf(token);
    const user = await this.#users.recent(signed.username);
    const allowed = user?.apps && Object.hasOwn(user.apps, signed.tokenId) ? user.apps[signed.tokenId] : undefined;
    if (!user || !isSame(allowed, signed.payload)) throw invalidToken('Token ID does not match the token');
    const roles = new Set(ANALYSIS_ROLES.filter((role) => signed.payload.roles.includes(role)));
    return { user, clientId: signed.payload.client_id, roles };
  }

  async #signedOf(token: string): Promise<Signed> {
    const cacheKey = this.#signed.keyOf(token);
    const known = this.#signed.get(cacheKey);
    if (known) return known;
    const header = token.length <= MAX_LENGTH ? readHeader(token) : undefined;
    if (!header) throw invalidToken('Missing data from the headers');
    const payload = await this.#payloadOf(token, header.tokenId);
    const signed = { ...header, payload };
    this.#signed.set(cacheKey, signed, { size: token.length });
    return signed;
  }

  async #payloadOf(token: string, tokenId: string): Promise<AllowedClient> {
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, await this.#keyOf(tokenId), { algorithms: [ALGORITHM] }));
    } catch (error) {
      if (error instanceof errors.JOSEError) throw invalidToken('Signature verification failed', error);
      throw error;
    }
    if (!isAllowedClient(payload)) throw invalidToken('Token ID does not match the token');
    return payload;
  }

  async #keyOf(tokenId: string): Promise<Uint8Array> {
    return new TextEncoder().encode(hash('sha256', `${await this.#secret()}_${tokenId}`, 'hex'));
  }
}

function readHeader(token: string): { readonly username: string; readonly tokenId: string } | undefined {
  try {
    const { token_id: tokenId, user: username } = decodeProtectedHeader(token);
    if (typeof tokenId === 'string' && typeof username === 'string') return { tokenId, username };
  } catch {
    // It is not a token.
  }
  return undefined;
}

function isAllowedClient(payload: object): payload is AllowedClient {
  const { roles, ...texts } = payload as Readonly<Record<string, unknown>>;
  return (
    Object.keys(payload).sort().join() === FIELDS.join() &&
    Object.values(texts).every((value) => typeof value === 'string') &&
    Array.isArray(roles) &&
    roles.every((role) => typeof role === 'string')
  );
}

function isSame(left: AllowedClient | undefined, right: AllowedClient): boolean {
  return left !== undefined && FIELDS.every((name) => isSameJson(left[name], right[name]));
}

function invalidToken(reason: string, cause?: unknown): Unauthenticated {
  return new Unauthenticated('invalid_token', `Invalid OBO token - ${reason}`, { cause });
}
