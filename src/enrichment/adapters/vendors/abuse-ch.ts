import type { Adapter, StatusMeaning } from '../adapter.ts';

const STATUSES: Readonly<Record<string, StatusMeaning>> = {
  no_results: 'unknown',
  unknown_auth_key: 'key',
  no_auth_key: 'key',
};

/** Returns what the services of abuse.ch have in common. @param statuses those of one service */
export function abuseCh(
  statuses: NonNullable<Adapter['statuses']>,
): Pick<Adapter, 'reach' | 'key' | 'rateLimits' | 'statusField' | 'statuses'> {
  return {
    reach: 'passive',
    key: { in: 'header', name: 'auth-key' },
    // Their pages ask for fair use without a number.
    rateLimits: ['60/minute'],
    statusField: 'query_status',
    statuses: { ...STATUSES, ...statuses },
  };
}
