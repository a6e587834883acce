import { type Static, Type } from 'typebox';
import { KEY_PRIVILEGES, USER_TYPES } from '../../documents/kinds/user.ts';
import { oneOf } from '../../input/input-kinds.ts';
import { nullable, nullableText } from '../../input/nullable.ts';

/** The own account, as `whoami` shows it. */
export const OwnProfile = Type.Object(
  {
    username: Type.String(),
    name: Type.String({ description: 'Name that people see.' }),
    email: Type.Optional(Type.String()),
    avatar: nullableText('Picture, as a data URI or an address.'),
    is_admin: Type.Boolean(),
    is_active: Type.Boolean(),
    roles: Type.Array(oneOf(USER_TYPES), { description: 'User types.' }),
    groups: Type.Array(Type.String()),
    classification: Type.String({ description: 'Highest classification that the user may see.' }),
    apikeys: Type.Array(Type.Tuple([Type.String(), Type.Array(oneOf(KEY_PRIVILEGES)), nullable(Type.String())]), {
      description: 'Name, privileges and expiry (HTTP date) of each API key.',
    }),
    api_quota: Type.Integer({ description: 'Requests that may run at the same time.' }),
    favourite_views: Type.Array(Type.String(), { description: 'Identifiers of views.' }),
    favourite_analytics: Type.Array(Type.String(), { description: 'Identifiers of analytics.' }),
    dashboard: Type.Array(
      Type.Object({
        entry_id: Type.String(),
        type: Type.String(),
        config: Type.String({ description: 'Settings of the card, as JSON text.' }),
      }),
    ),
    refresh_rate: Type.Integer({ description: 'Seconds after which the dashboard is loaded again.' }),
  },
  { title: 'OwnProfile' },
);
export type OwnProfile = Static<typeof OwnProfile>;
