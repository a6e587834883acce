import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import type { User } from '../../documents/kinds/user.ts';
import { analysisTypesOf, effectiveRoles } from '../../identity/accounts/effective-roles.ts';
import { NO_PASSWORD } from '../../identity/passwords/passwords.ts';

type DefaultQuotas = Config['analysis']['ui']['default_quotas'];

export interface AccountViewOptions {
  readonly quotas: DefaultQuotas;
  readonly classification: ClassificationEngine;
  /** Whether the identifier at the identity provider is shown. */
  readonly withIdentity: boolean;
  /** Shows the picture, null when there is none; undefined: it was not asked for. */
  readonly avatar?: string | null | undefined;
}

/** An account as its owner and administrators see it (contract/analysis.md section 2.4): everything but secrets. */
export function accountView(user: User, options: AccountViewOptions): Readonly<Record<string, unknown>> {
  const { quotas, classification, withIdentity, avatar } = options;
  const tokens = Object.keys(user.security_tokens ?? {});
  return {
    '2fa_enabled': Boolean(user.otp_sk),
    agrees_with_tos: user.agrees_with_tos ?? null,
    api_daily_quota: user.api_daily_quota ?? quotas.daily_api_calls,
    api_quota: user.api_quota ?? quotas.concurrent_api_calls,
    apps: user.apps ?? {},
    can_impersonate: user.can_impersonate ?? false,
    classification: shownClassification(classification, user),
    dn: user.dn ?? null,
    email: user.email ?? null,
    groups: groupsOf(user),
    has_password: user.password !== '' && user.password !== NO_PASSWORD,
    ...(withIdentity ? { identity_id: user.identity_id ?? null } : {}),
    is_active: user.is_active,
    name: user.name,
    organization: user.organization ?? null,
    roles: effectiveRoles(user),
    security_token_enabled: tokens.length > 0,
    security_tokens: tokens,
    submission_async_quota: user.submission_async_quota ?? quotas.concurrent_async_submissions,
    submission_daily_quota: user.submission_daily_quota ?? quotas.daily_submissions,
    submission_quota: user.submission_quota ?? quotas.concurrent_submissions,
    type: analysisTypesOf(user),
    uname: user.uname,
    ...(avatar === undefined ? {} : { avatar }),
  };
}

/** An account in a list of accounts. */
export function accountSummary(user: User, classification: ClassificationEngine): Readonly<Record<string, unknown>> {
  return {
    classification: shownClassification(classification, user),
    email: user.email ?? null,
    groups: groupsOf(user),
    id: user.uname,
    is_active: user.is_active,
    name: user.name,
    organization: user.organization ?? null,
    roles: user.roles ?? [],
    type: analysisTypesOf(user),
    uname: user.uname,
  };
}

function groupsOf(user: User): readonly string[] {
  return user.groups.map((group) => group.toUpperCase());
}

/** As it is stored when the definition does not know it any more. */
export function shownClassification(engine: ClassificationEngine, user: Pick<User, 'classification'>): string {
  try {
    return engine.normalise(user.classification, { skipAutoSelect: true });
  } catch {
    return user.classification;
  }
}
