import { Type } from 'typebox';
import { oauthSettings } from './oauth-settings.ts';
import {
  choice,
  integer,
  onOff,
  optionalChoice,
  optionalInteger,
  optionalText,
  section,
  sections,
} from './setting-kinds.ts';

export const authSettings = section({
  allow_apikeys: onOff({ description: 'API keys may be made and used.', default: true }),
  allow_extended_apikeys: onOff({
    description: 'API keys may have the privilege E (account, actions, keys).',
    default: true,
  }),
  max_apikey_duration_amount: optionalInteger({
    description: 'Longest life of a new API key, in the unit below. When set, every key needs an expiry date.',
    minimum: 1,
  }),
  max_apikey_duration_unit: optionalChoice(['seconds', 'minutes', 'hours', 'days', 'weeks'], {
    description: 'Unit of `max_apikey_duration_amount`.',
  }),
  users_without_access_control: choice(['computed', 'unfiltered'], {
    description:
      'What searches of users without a stored `access_control` filter find: `computed` from their classification, or everything (`unfiltered`, as in the public system; records above their classification are counted and shown).',
    default: 'computed',
  }),
  internal: section({
    enabled: onOff({ description: 'Users may log in with a password.', default: true }),
    failure_ttl: integer({
      description: 'Seconds that failed logins are counted for, and that a lock-out lasts.',
      default: 60,
      minimum: 1,
    }),
    max_failures: integer({
      description:
        'Failed logins of a user from one address (of IPv6: one /64) within that time. Then passwords of the user are refused at this address.',
      default: 5,
      minimum: 1,
    }),
    max_failures_per_user: integer({
      description:
        'Failed logins of a user from all addresses within that time. Then passwords of the user are refused at every address.',
      default: 50,
      minimum: 1,
    }),
    max_failures_per_address: integer({
      description:
        'Failed logins of all users from one address within that time. Then passwords are refused at this address.',
      default: 200,
      minimum: 1,
    }),
    password_requirements: section({
      lower: onOff({ description: 'Passwords need a lower-case letter.', default: false }),
      number: onOff({ description: 'Passwords need a digit.', default: false }),
      special: onOff({ description: 'Passwords need a special character.', default: false }),
      upper: onOff({ description: 'Passwords need an upper-case letter.', default: false }),
      min_length: integer({
        description: 'Shortest password, in characters.',
        default: 12,
        minimum: 1,
        maximum: 1024,
      }),
    }),
  }),
  oauth: oauthSettings,
  service_account: section({
    enabled: onOff({
      description:
        'Callers without a token of their own, with an API key, reach sources that want one by that of a service account.',
      default: false,
    }),
    accounts: sections(
      section({
        username: Type.String({ description: 'Name that the account has at the provider.' }),
        password: optionalText({
          description: 'Its password; better in the variable `SA_<PROVIDER>_PASSWORD`.',
        }),
        provider: Type.String({ description: 'Name of the identity provider.' }),
      }),
      { description: 'Service accounts, at most one at a provider; the first one is used.', default: [] },
    ),
  }),
});
