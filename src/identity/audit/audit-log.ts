import { isConflict, isTriadError, isUnavailable } from '../../errors/errors.ts';
import type { ListenerName } from '../actor.ts';
import type { IdentityLog } from '../identity-log.ts';

/** A security event. Never contains a password, key or token, not even in part. */
export interface AuditEvent {
  readonly event: AuditEventName;
  /** Undefined: a command of the operator, or a job. */
  readonly service: ListenerName | undefined;
  /** The affected account; as claimed when no credential was verified. */
  readonly user?: string | undefined;
  /** The acting user, when it is another. */
  readonly by?: string | undefined;
  readonly impersonator?: string | undefined;
  /** `password`, `api_key`, `app_token`, `oauth`, `on_behalf_of`, `session` ... */
  readonly method?: string | undefined;
  /** Stable code of the refusal. */
  readonly code?: string | undefined;
  /** Name of an API key. */
  readonly key?: string | undefined;
  /** Name of an identity provider. */
  readonly provider?: string | undefined;
  /** Claim `sub` of a verified token of that provider. */
  readonly subject?: string | undefined;
  /** Authorised party of a token: the client that it was given to. */
  readonly azp?: string | undefined;
  /** Recipient of an exchanged token; what an administrator acted on. */
  readonly target?: string | undefined;
  /** Identifier of a saved action. */
  readonly action?: string | undefined;
  /** Event that ran the action. */
  readonly trigger?: string | undefined;
  /** Names of changed fields. */
  readonly fields?: readonly string[] | undefined;
  readonly before?: readonly string[] | undefined;
  readonly after?: readonly string[] | undefined;
  /** Name of a source of enrichment. */
  readonly source?: string | undefined;
  /** Kind of a call to a source, with the identifier of the action or fetcher. */
  readonly operation?: string | undefined;
  /** Types and values that a source was asked for, the first 100. */
  readonly values?: readonly string[] | undefined;
  /** Number of all those values. */
  readonly count?: number | undefined;
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly requestId?: string | undefined;
  /** Method and path of the call. */
  readonly call?: string | undefined;
  /** The number of further refusals like this one within a minute. */
  readonly more?: number | undefined;
}

/** Receives security events. Writing never fails or waits: the log gets what cannot be written. */
export interface AuditLog {
  write(event: AuditEvent): void;
}

/** Every kind of security event with its meaning, as in docs/operating.md. Alarms rely on the names. */
export const AUDIT_EVENTS = {
  login_succeeded: 'A user signed in; `method` says how.',
  login_failed: 'A sign-in was rejected; `code` gives the reason. `user` is the claimed user name.',
  recovery_code_used: 'A user signed in with a recovery code in place of the second factor.',
  credential_refused: 'A request was rejected because of its credential; `code` gives the reason.',
  token_accepted:
    'A service accepted an access token of a provider for the first time since its process started; later requests with the token are not recorded.',
  locked_out:
    'Too many failed sign-ins for `user` from `address`; without `address`, for `user` from all addresses; without `user`, from `address`.',
  logout: 'A user ended their session.',
  api_key_created: 'An API key was created; `key` is its name.',
  api_key_changed: 'Privileges, roles or expiry of an API key were changed.',
  api_key_refused:
    'The creation or change of an API key was rejected; `code` gives the reason, for example that the key would have exceeded the rights of the requester.',
  api_key_revoked: 'An API key was revoked.',
  impersonated: '`impersonator` made a request on behalf of `user`; `key` is the key that permitted it.',
  on_behalf_of_call: 'A request was made with an on-behalf-of token; `azp` is the client that made it.',
  token_exchanged:
    'A token of `user` was exchanged for one whose audience is `target`; `azp` is the client that received it.',
  token_exchange_failed: 'A token exchange was rejected or failed; `code` gives the reason.',
  impersonation_allowed: 'A user permitted a client to act on their behalf; `azp` is the client, `after` its roles.',
  impersonation_withdrawn: 'A user revoked that permission.',
  user_created: 'An account was created, by an administrator or at the first sign-in through a provider.',
  account_linked:
    'An account was linked to an identity at a provider by its verified e-mail address; `fields` names the credentials that were revoked.',
  user_changed: 'An account was changed; `fields` names the changed fields.',
  roles_changed:
    'User types or roles of an account were changed, by an administrator or by the groups that a provider reported.',
  user_disabled: 'An account was disabled.',
  user_enabled: 'An account was enabled.',
  user_deleted: 'An account was deleted.',
  password_changed: 'A password was set.',
  source_registered:
    'A source of enrichment was registered; `source` is its name, `key` the key of the program that did it.',
  source_removed: 'A registered source of enrichment was removed.',
  source_called:
    'A source of enrichment was asked for `user`: `operation` says for what, `values` names the first 100 values with their types, `count` is the number of all.',
  job_started: 'An administrator began a run of the job `target`.',
  generation_begun: 'An administrator began a new generation of the collection `target`.',
  sessions_ended:
    'Users themselves, or an administrator (`by`), ended sessions of `user` at the service `target`; without `target`, all sessions.',
  lock_out_lifted: 'An administrator cleared the failed sign-ins of `user`, or from the address `target`.',
  demo_loaded: 'An administrator loaded demo alerts into an empty installation.',
  action_triggered: 'A trigger ran a saved action with the rights of `user`, whose change fired it.',
} as const;

export type AuditEventName = keyof typeof AUDIT_EVENTS;

/** Callers choose names, user agents and paths. Their beginning is enough to identify them. */
const MAX_LENGTH = 256;

/**
 * Returns the line of an event: `log` (`audit`), `time` (ISO 8601, UTC), `event`, then the other
 * members. Strings are cut at 256 characters, and `by` is left out when it is the user. @param now milliseconds
 */
export function auditLine(event: AuditEvent, now: number): string {
  const { event: name, by, ...rest } = event;
  const line: Record<string, unknown> = { log: 'audit', time: new Date(now).toISOString(), event: name, ...rest };
  if (by !== event.user) line.by = by;
  return `${JSON.stringify(line, shortened)}\n`;
}

/** Shortens a string for a line. A replacer for `JSON.stringify`. */
export function shortened(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value;
}

/** The source of a request. */
export interface RequestOrigin {
  /** Address of the connection, or of the first hop if a trusted proxy names it. */
  readonly address: string;
  readonly userAgent?: string | undefined;
  readonly requestId?: string | undefined;
  /** Method and path, without the query. */
  readonly call?: string | undefined;
}

/** The part of an event that does not depend on its kind: who caused it, and from where. */
export type AuditOrigin = Pick<
  AuditEvent,
  'service' | 'by' | 'impersonator' | 'provider' | 'subject' | 'azp' | 'address' | 'userAgent' | 'requestId' | 'call'
>;

/** Returns the origin of a request whose caller is unknown or named by the event. */
export function originAt(
  service: ListenerName,
  { address, userAgent, requestId, call }: RequestOrigin,
): AuditOrigin & RequestOrigin {
  return { service, address, userAgent, requestId, call };
}

/** The origin of operator commands, jobs and the first start. */
export const LOCAL_ORIGIN: AuditOrigin = { service: undefined };

/** The verified facts about the holder of a refused credential. */
export type CredentialHolder = Pick<AuditEvent, 'user' | 'provider' | 'subject' | 'azp'>;

const holders = new WeakMap<object, CredentialHolder>();

/** Notes the holder of the credential that an error is about, if known. Returns the error. */
export function attributed<E>(error: E, holder: CredentialHolder | undefined): E {
  if (holder && isTriadError(error)) holders.set(error, holder);
  return error;
}

/** Returns the holder that was noted for an error or one of its causes. */
export function holderOf(error: unknown): CredentialHolder | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const holder = holders.get(cause);
    if (holder) return holder;
  }
  return undefined;
}

/** Logs and audits a refused credential, with its verified holder; only logs what could not be checked. */
export function auditRefusal(
  { log, audit }: { readonly log: Pick<IdentityLog, 'warn'>; readonly audit: AuditLog },
  error: unknown,
  event: Omit<AuditEvent, 'code'>,
): void {
  if (!isTriadError(error)) return;
  const { code, message, cause } = error;
  const { address, requestId } = event;
  const { user, ...holder } = holderOf(error) ?? {};
  // Callers do not learn the cause.
  const reason = cause instanceof Error ? cause.message : undefined;
  log.warn({ code, address, requestId, reason, ...holder }, `authentication refused: ${message}`);
  const account = event.user === undefined && user !== undefined ? { user } : {};
  if (!isUnavailable(error)) audit.write({ ...event, ...holder, ...account, code });
}

/** Creates or changes an API key of `user`; audits a refusal: it may be a test of how far a key can go. */
export async function tellingRefusedKey<T>(
  audit: AuditLog,
  origin: AuditOrigin,
  user: string,
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    // A key that could not be stored was not refused.
    const isRefusal = !isUnavailable(error) && !isConflict(error);
    if (isRefusal && isTriadError(error)) audit.write({ ...origin, event: 'api_key_refused', user, code: error.code });
    throw error;
  }
}
