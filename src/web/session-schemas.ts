import { type Static, type TSchema, Type } from 'typebox';
import { CredentialFields } from '../http/input/input-schemas.ts';
import { oneOf, text } from '../input/input-kinds.ts';

const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const time = (description: string) => Type.String({ format: 'date-time', description });

/** A sign-in; the method says which members are needed. */
export const SignInBody = Type.Object(
  {
    method: oneOf(['password', 'apikey', 'provider'], { description: 'The credential of the sign-in.' }),
    ...CredentialFields,
    provider: Type.Optional(text({ description: 'Name of the identity provider.' })),
    code: Type.Optional(text({ description: 'Argument `code` of the address that the provider sent the browser to.' })),
    state: Type.Optional(text({ description: 'Argument `state` of that address.' })),
    ticket: Type.Optional(
      text({
        description:
          'In place of `code`: the `ticket` of `second_factor_required`, with its `user` and a second factor.',
      }),
    ),
    iss: Type.Optional(text({ description: 'Argument `iss` of that address, if it has one.' })),
    error: Type.Optional(text({ description: 'Argument `error` of that address, if it has one.' })),
    error_description: Type.Optional(text()),
  },
  { title: 'SignIn', examples: [{ method: 'password', user: 'admin', password: 'admin' }] },
);
export type SignIn = Static<typeof SignInBody>;

const SessionReply = Type.Object(
  {
    id: Type.String({ description: 'Names the session in lists. Not secret.' }),
    username: Type.String(),
    name: Type.String({ description: 'Name that people see.' }),
    opened_with: oneOf(['password', 'apikey', 'provider'], { description: 'The method of the sign-in.' }),
    key: orNull(Type.String({ description: 'Name of the API key that opened it.' })),
    provider: orNull(Type.String({ description: 'Name of the identity provider that opened it.' })),
    privileges: Type.Array(Type.String(), { description: 'Those of the credential that opened it.' }),
    is_admin: Type.Boolean(),
    opened_at: time('Time of the sign-in.'),
    expires_at: time('Its end, however much it is used.'),
    idle_until: time('Its end, unless it is used before.'),
  },
  { title: 'Session' },
);

/** The session of the browser, and the ways to sign in. */
export const SessionStateReply = Type.Object(
  {
    session: orNull(SessionReply),
    sign_in: Type.Object({
      password: Type.Boolean({ description: 'User name and password are accepted.' }),
      api_key: Type.Boolean({ description: 'API keys are accepted.' }),
      providers: Type.Array(
        Type.Object({
          name: Type.String(),
          label: Type.String({ description: 'Name that people see.' }),
          url: Type.String({ description: 'Address of this origin that begins the sign-in.' }),
        }),
      ),
    }),
    services: Type.Record(Type.String(), Type.String(), {
      description: 'Addresses by which programs reach the services, by name. Empty without a session.',
    }),
  },
  { title: 'SessionState' },
);
