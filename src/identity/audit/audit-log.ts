import type { ServiceName } from '../actor.ts';
import type { AuditEventName } from './audit-events.ts';

/** One security event. Never holds a secret: no password, no key, no token, also not in part. */
export interface AuditEvent {
  readonly event: AuditEventName;
  /** Undefined: a command of the operator, or a job. */
  readonly service: ServiceName | undefined;
  /** Whose account it is about; as claimed when nobody was verified. */
  readonly user?: string | undefined;
  /** Who did it, when it is not the user. */
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
  /** Service or audience that a token was exchanged for. */
  readonly target?: string | undefined;
  /** Names of changed fields. */
  readonly fields?: readonly string[] | undefined;
  readonly before?: readonly string[] | undefined;
  readonly after?: readonly string[] | undefined;
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly requestId?: string | undefined;
  /** Method and path of the call. */
  readonly call?: string | undefined;
  /** Of a line that sums up: so many more refusals like this one came within a minute. */
  readonly more?: number | undefined;
}

/** Where security events go. Writing never fails and never waits: what cannot be written is told in the program's log. */
export interface AuditLog {
  write(event: AuditEvent): void;
}
