import { Type } from 'typebox';
import { ANALYSIS_ROLES } from '../../documents/kinds/analysis-roles.ts';
import { ANALYSIS_USER_TYPES, USER_TYPES } from '../../documents/kinds/user.ts';
import { auditOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { ROLES_OF_TYPE } from '../../identity/accounts/effective-roles.ts';
import { integer, oneOf, text } from '../../input/input-kinds.ts';
import { nullableText } from '../../input/nullable.ts';
import { CHANGE_RIGHTS, READ } from '../operations-access.ts';
import type { AccountDirectory } from './account-directory.ts';

const tags = ['users'];
const types = Type.Array(oneOf(USER_TYPES), {
  description: 'User types of the alert service; `admin` and `user` count at all services.',
});
const analysisTypes = Type.Array(oneOf(ANALYSIS_USER_TYPES), {
  description: 'Further types at the analysis service.',
});
const roles = Type.Array(oneOf(ANALYSIS_ROLES), {
  description: 'Roles at the analysis service that were chosen one by one; none: those of the types.',
});
const Account = Type.Object(
  {
    username: Type.String(),
    name: Type.String(),
    email: nullableText('E-mail address.'),
    is_active: Type.Boolean(),
    classification: Type.String({ description: 'Highest classification that the user may see.' }),
    groups: Type.Array(Type.String()),
    types,
    analysis_types: analysisTypes,
    roles,
  },
  { title: 'Account' },
);
const AccountDetails = Type.Object(
  {
    ...Account.properties,
    effective_roles: Type.Array(oneOf(ANALYSIS_ROLES), { description: 'Roles at the analysis service.' }),
    has_password: Type.Boolean(),
    has_second_factor: Type.Boolean(),
    has_identity: Type.Boolean({ description: 'The account is linked to an identity provider.' }),
    api_keys: Type.Integer(),
  },
  { title: 'AccountDetails' },
);
const CHANGES = {
  name: Type.Optional(Type.String({ description: 'Full name.', minLength: 1, maxLength: 256 })),
  email: Type.Optional(nullableText('E-mail address; null removes it.')),
  is_active: Type.Optional(Type.Boolean({ description: 'False disables the account and ends its sessions.' })),
  classification: Type.Optional(Type.String({ description: 'Highest classification that the user may see.' })),
  groups: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 1000 })),
  types: Type.Optional(types),
  analysis_types: Type.Optional(analysisTypes),
  roles: Type.Optional(roles),
};
const ChangeBody = Type.Object(CHANGES, {
  additionalProperties: false,
  description: 'Missing members stay as they are.',
  examples: [{ name: 'Grace Hopper', types: ['user', 'automation_basic'], analysis_types: ['signature_importer'] }],
});
const NewBody = Type.Object(
  {
    ...CHANGES,
    password: Type.Optional(
      Type.Boolean({ description: 'False: there is no login by password, as for users of a provider. Default: true.' }),
    ),
  },
  { additionalProperties: false, examples: [{ name: 'Grace Hopper', email: 'grace@example.org', types: ['user'] }] },
);
const ListQuery = Type.Object({
  query: text({ description: 'Lucene query of the accounts: `grac*`, `type:admin AND is_active:true`.', default: '*' }),
  offset: integer({ minimum: 0, maximum: 10_000, default: 0 }),
  rows: integer({ minimum: 0, maximum: 1000, default: 100 }),
});
const once = 'The password, which cannot be shown again';
const ofUser = pathParameters({ username: ['Name of the user.', 'user'] });
const TypeChoice = Type.Object(
  { type: Type.String(), roles: Type.Array(Type.String(), { description: 'Roles at the analysis service.' }) },
  { title: 'UserTypeChoice' },
);
const Choices = Type.Object({
  types: Type.Array(Type.String()),
  analysis_types: Type.Array(Type.String()),
  roles: Type.Array(Type.String()),
  roles_of_types: Type.Array(TypeChoice),
});

/** Serves accounts with what all services know of them. Accounts are deleted at the alert service. */
export const accountRoutes =
  ({ directory }: { readonly directory: AccountDirectory }): RouteModule =>
  (app) => {
    app.get(
      '/v1/users',
      {
        access: READ,
        schema: {
          tags,
          summary: 'Search for accounts',
          querystring: ListQuery,
          response: { 200: Type.Object({ users: Type.Array(Account), total: Type.Integer() }) },
        },
      },
      ({ query }) => directory.list(query),
    );

    app.get(
      '/v1/user-types',
      { access: READ, schema: { tags, summary: 'List user types and roles', response: { 200: Choices } } },
      () => ({
        types: USER_TYPES,
        analysis_types: ANALYSIS_USER_TYPES,
        roles: ANALYSIS_ROLES,
        roles_of_types: Object.entries(ROLES_OF_TYPE).map(([type, ofType]) => ({ type, roles: ofType })),
      }),
    );

    app.get(
      '/v1/users/:username',
      {
        access: READ,
        schema: { tags, summary: 'Get an account', params: ofUser, response: { 200: AccountDetails } },
      },
      ({ params: { username } }) => directory.get(username),
    );

    app.post(
      '/v1/users/:username',
      {
        access: CHANGE_RIGHTS,
        compress: false,
        schema: {
          tags,
          summary: 'Create an account with a random password',
          params: pathParameters({ username: ['Name of the user.', 'grace'] }),
          body: NewBody,
          response: { 201: Type.Object({ password: nullableText(`${once}; null: there is none.`) }) },
        },
      },
      (request) => {
        const { password = true, ...fields } = request.body;
        const origin = auditOrigin(request, 'operations');
        return directory.create(request.params.username, fields, { password, origin });
      },
    );

    app.patch(
      '/v1/users/:username',
      {
        access: CHANGE_RIGHTS,
        schema: {
          tags,
          summary: 'Change an account',
          params: ofUser,
          body: ChangeBody,
          response: { 200: AccountDetails },
        },
      },
      (request) => {
        const { actor, params, body } = request;
        return directory.change(actor.username, params.username, body, auditOrigin(request, 'operations'));
      },
    );

    app.post(
      '/v1/users/:username/password',
      {
        access: CHANGE_RIGHTS,
        compress: false,
        schema: {
          tags,
          summary: 'Set a random password, and end all sessions',
          params: ofUser,
          response: { 200: Type.Object({ password: Type.String({ description: `${once}.` }) }) },
        },
      },
      async (request) => ({
        password: await directory.resetPassword(request.params.username, auditOrigin(request, 'operations')),
      }),
    );
  };
