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
  allow_apikeys: onOff('API keys may be made and used.', true),
  allow_extended_apikeys: onOff('API keys may have the privilege E (account, actions, keys).', true),
  max_apikey_duration_amount: optionalInteger(
    'Longest life of a new API key, in the unit below. When set, every key needs an expiry date.',
    1,
  ),
  max_apikey_duration_unit: optionalChoice(
    ['seconds', 'minutes', 'hours', 'days', 'weeks'],
    'Unit of `max_apikey_duration_amount`.',
  ),
  users_without_access_control: choice(
    ['computed', 'unfiltered'],
    'What searches of users without a stored `access_control` filter find: `computed` from their classification, or everything (`unfiltered`, as in the public system; records above their classification are counted and shown).',
    'computed',
  ),
  internal: section({
    enabled: onOff('Users may log in with a password.', true),
    failure_ttl: integer('Seconds that failed logins are counted for, and that a lock-out lasts.', 60, { minimum: 1 }),
    max_failures: integer(
      'Failed logins of a user from one address (of IPv6: one /64) within that time. Then passwords of the user are refused at this address.',
      5,
      { minimum: 1 },
    ),
    max_failures_per_user: integer(
      'Failed logins of a user from all addresses within that time. Then passwords of the user are refused at every address.',
      50,
      { minimum: 1 },
    ),
    max_failures_per_address: integer(
      'Failed logins of all users from one address within that time. Then passwords are refused at this address.',
      200,
      { minimum: 1 },
    ),
    password_requirements: section({
      lower: onOff('Passwords need a lower-case letter.', false),
      number: onOff('Passwords need a digit.', false),
      special: onOff('Passwords need a special character.', false),
      upper: onOff('Passwords need an upper-case letter.', false),
      min_length: integer('Shortest password, in characters.', 12, { minimum: 1, maximum: 1024 }),
    }),
  }),
  oauth: oauthSettings,
  propagate_clue_key: onOff(
    'A source of the enrichment service that gets an exchanged token also gets the token that it was exchanged for, in `X-Clue-Authorization`.',
    true,
  ),
  service_account: section({
    enabled: onOff(
      'Users for whom a program with a configured key of the enrichment service calls reach sources that want one by that of a service account.',
      false,
    ),
    accounts: sections(
      section({
        username: Type.String({ description: 'Name that the account has at the provider.' }),
        password: optionalText('Its password; better in the variable `SA_<PROVIDER>_PASSWORD`.'),
        provider: Type.String({ description: 'Name of the identity provider.' }),
      }),
      'Service accounts, at most one at a provider; the first one is used.',
    ),
  }),
});
