import type { AnalysisRole } from '../documents/kinds/analysis-roles.ts';
import type { TriadError } from '../errors/errors.ts';
import type { Actor, AuthenticationMethod, ListenerName, Privilege } from './actor.ts';
import {
  type AuditEvent,
  type AuditLog,
  attributed,
  auditRefusal,
  originAt,
  type RequestOrigin,
} from './audit/audit-log.ts';
import { type CallerCredential, credentialOfCaller } from './caller-credential.ts';
import type { IdentityLog } from './identity-log.ts';
import { holderOfUser, type VerifiedToken } from './oauth/verified-token.ts';
import type { RecentUser } from './user-store.ts';

/** Gives access to what a request presents to identify its sender; the same at each service. */
export interface PresentedCredentials extends RequestOrigin {
  /** Returns a header that can hold a credential, by its lower-case name; repeated ones are malformed. */
  header(name: string): string | undefined;
  /** Returns a header that must not be repeated. @throws InvalidInput `repeated_header` */
  singleHeader(name: string): string | undefined;
  /** Returns an argument of the query string that was sent once. */
  argument(name: string): string | undefined;
  /** Cookie of a session of the web interface, which its listener hands over in this process. */
  readonly webSession?: string | undefined;
  /** Returns true when the request came over TLS. */
  isEncrypted(): boolean;
  /** True when the route requires the XSRF token of sessions. */
  readonly checkXsrf: boolean;
  /** True when the route admits disabled accounts. */
  readonly allowInactive: boolean;
}

/** A verified caller: an account, and what the credential leaves of its rights. */
export interface Caller {
  /** The account. Of a vouched user it is not stored. */
  readonly user: RecentUser;
  readonly method: AuthenticationMethod;
  readonly privileges: readonly Privilege[];
  /** Name of the API key used, if one was. */
  readonly keyName?: string | undefined;
  /** The user or client that calls in the name of the user. */
  readonly impersonator?: string | undefined;
  /** True when a program vouches for the user. Default: the account is stored here. */
  readonly isVouched?: true;
  /** The token of a provider that identified the user. */
  readonly verified?: VerifiedToken | undefined;
  /** Name of that provider. */
  readonly provider?: string | undefined;
  /** Authorised party of that token. */
  readonly azp?: string | undefined;
  /** Milliseconds since 1970 at which the credential ends by itself. Default: it does not. */
  readonly credentialEnds?: number | undefined;
  /** Roles at the analysis service that the credential allows; the account may have fewer. Default: all. */
  readonly rolesLimit?: ReadonlySet<AnalysisRole> | undefined;
  /** Clearance of the client that calls for the user, which limits that of the user. Default: no limit. */
  readonly classificationLimit?: string | undefined;
  /** The security event that each call of the caller writes. Default: none. */
  readonly event?: 'on_behalf_of_call' | 'impersonated' | undefined;
}

/** The sender that a credential claims, for the audit log. Contains no secret. */
export type Claim = Pick<AuditEvent, 'user' | 'impersonator' | 'method' | 'key'>;

/** One kind of credential of a service. */
export interface CredentialRow<Credential = unknown> {
  /** Returns the credential, if one of this kind is presented. @throws InvalidInput when malformed */
  read(presented: PresentedCredentials): Credential | undefined;
  /** @param own the claim of the sender, when this credential is presented beside another one */
  claim(credential: Credential, presented: PresentedCredentials, own?: Claim): Claim;
  /** Returns the caller; the account may be disabled. @param sender the caller of a credential beside it */
  verify(credential: Credential, presented: PresentedCredentials, sender?: Caller): Promise<Caller>;
}

/** Infers the type of the credential of a row, which its table does not need. */
export function credentialRow<Credential>(row: CredentialRow<Credential>): CredentialRow {
  return row;
}

/** The properties in which services differ: their credentials, actors and wording. */
export interface ServiceTable<A extends Actor> {
  readonly service: ListenerName;
  /** The credentials, by precedence: the first that a request presents identifies the sender. */
  readonly rows: readonly CredentialRow[];
  /** Presented beside another credential, this one makes the sender call in the name of another user. */
  readonly inNameOf?: CredentialRow;
  /** Returns the refusal of a request without such a credential, and its claim; undefined: it has none. */
  missing(presented: PresentedCredentials): { readonly error: TriadError; readonly claim: Claim | undefined };
  /** Returns the refusal of a disabled account. */
  disabled(username: string): TriadError;
  readonly actors: { actorOf(caller: Caller): A };
}

/** The actor of a request, and what they presented. */
export interface IdentifiedCaller<A extends Actor = Actor> {
  readonly actor: A;
  readonly credential: CallerCredential;
}

export interface AuthenticatorDependencies {
  readonly audit: AuditLog;
  readonly log: IdentityLog;
}

/**
 * Identifies the sender of a request: from the credential to the account and from there to the actor.
 * The steps are the same at each service; its table says what differs. Safe for concurrent use.
 */
export class Authenticator<A extends Actor> {
  readonly table: ServiceTable<A>;
  readonly #dependencies: AuthenticatorDependencies;

  constructor(table: ServiceTable<A>, dependencies: AuthenticatorDependencies) {
    this.table = table;
    this.#dependencies = dependencies;
  }

  /** Returns the actor of a request; audits refusals unless nothing was presented. @throws as the rows */
  async authenticate(presented: PresentedCredentials): Promise<A> {
    return (await this.identify(presented)).actor;
  }

  /** Returns the actor of a request and the kind of their credential. @throws as `authenticate` */
  async identify(presented: PresentedCredentials): Promise<IdentifiedCaller<A>> {
    try {
      const caller = await this.#callerOf(presented);
      return { actor: this.table.actors.actorOf(caller), credential: credentialOfCaller(caller) };
    } catch (error) {
      const claim = this.#claimOf(presented);
      // Requests without any credential are in the request log; here they would bury what matters.
      if (claim !== undefined) {
        const origin = originAt(this.table.service, presented);
        auditRefusal(this.#dependencies, error, { event: 'credential_refused', ...origin, ...claim });
      }
      throw error;
    }
  }

  /** Returns the actor of a caller who logs in. @throws TriadError when the account is disabled */
  admit(caller: Caller): A {
    this.#rejectInactive(caller);
    return this.table.actors.actorOf(caller);
  }

  async #callerOf(presented: PresentedCredentials): Promise<Caller> {
    const { rows, inNameOf, missing } = this.table;
    for (const row of rows) {
      const credential = row.read(presented);
      if (credential === undefined) continue;
      const sender = await row.verify(credential, presented);
      const other = row === inNameOf ? undefined : inNameOf?.read(presented);
      if (inNameOf === undefined || other === undefined) return this.#accepted(sender, presented);
      // A disabled account calls for no other user, regardless of what the route admits.
      this.#accepted(sender, presented, false);
      return this.#accepted(await inNameOf.verify(other, presented, sender), presented);
    }
    throw missing(presented).error;
  }

  #accepted(caller: Caller, presented: PresentedCredentials, allowInactive = presented.allowInactive): Caller {
    if (!allowInactive) this.#rejectInactive(caller);
    if (caller.event !== undefined) this.#record(caller.event, caller, presented);
    return caller;
  }

  #rejectInactive({ user, verified }: Caller): void {
    if (!user.is_active) throw attributed(this.table.disabled(user.uname), holderOfUser(user, verified));
  }

  /** Writes the security event of a call in the name of a user. */
  #record(event: 'on_behalf_of_call' | 'impersonated', caller: Caller, presented: PresentedCredentials): void {
    const { method, impersonator, keyName, azp, verified } = caller;
    const { audit, log } = this.#dependencies;
    const user = caller.user.uname;
    if (event === 'impersonated') {
      const { address, userAgent, requestId } = presented;
      const entry = { user, impersonator, keyName, address, userAgent, requestId };
      log.warn(entry, `${impersonator} is impersonating ${user}`);
    }
    const { provider = caller.provider, subject } = holderOfUser(caller.user, verified) ?? {};
    const origin = originAt(this.table.service, presented);
    audit.write({ event, ...origin, user, impersonator, method, key: keyName, azp, provider, subject });
  }

  #claimOf(presented: PresentedCredentials): Claim | undefined {
    const { inNameOf } = this.table;
    const own = this.#ownClaim(presented);
    const other = inNameOf?.read(presented);
    return own && inNameOf && other !== undefined ? inNameOf.claim(other, presented, own) : own;
  }

  #ownClaim(presented: PresentedCredentials): Claim | undefined {
    try {
      for (const row of this.table.rows) {
        const credential = row.read(presented);
        if (credential !== undefined) return row.claim(credential, presented);
      }
    } catch {
      // What cannot be read claims nothing.
      return {};
    }
    return this.table.missing(presented).claim;
  }
}
