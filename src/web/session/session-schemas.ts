import { type Static, Type } from 'typebox';
import { CredentialFields } from '../../http/input/input-schemas.ts';
import type { WebSession } from '../../identity/sessions/web-sessions.ts';
import { oneOf, text } from '../../input/input-kinds.ts';
import { nullable } from '../../input/nullable.ts';

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

const SESSION_FIELDS = {
  id: Type.String({ description: 'Names the session in lists. Not secret.' }),
  opened_with: oneOf(['password', 'apikey', 'provider'], { description: 'The method of the sign-in.' }),
  key: nullable(Type.String({ description: 'Name of the API key that opened it.' })),
  provider: nullable(Type.String({ description: 'Name of the identity provider that opened it.' })),
  opened_at: time('Time of the sign-in.'),
  expires_at: time('Its end, however much it is used.'),
  idle_until: time('Its end, unless it is used before.'),
};

const SessionReply = Type.Object(
  {
    ...SESSION_FIELDS,
    username: Type.String(),
    name: Type.String({ description: 'Name that people see.' }),
    privileges: Type.Array(Type.String(), { description: 'Those of the credential that opened it.' }),
    is_admin: Type.Boolean(),
  },
  { title: 'Session' },
);

/** The sessions of a user in every browser. */
export const OwnSessionsReply = Type.Object({
  sessions: Type.Array(
    Type.Object(
      {
        ...SESSION_FIELDS,
        address: Type.String({ description: 'Address of the sign-in.' }),
        user_agent: Type.String({ description: 'Browser of the sign-in, as it names itself.' }),
        used_at: time('Time of the last use, to the minute.'),
        is_current: Type.Boolean({ description: 'It is the session of this request.' }),
      },
      { title: 'OwnSession' },
    ),
  ),
});

/** Methods of a sign-in by the credential that opened the session. */
const METHODS = { password: 'password', api_key: 'apikey', provider: 'provider' } as const;

/** Returns a session as its user sees it. */
export function shownSession({ id, openedWith, keyName, provider, openedAt, expiresAt, idleUntil }: WebSession) {
  return {
    id,
    opened_with: METHODS[openedWith],
    key: keyName ?? null,
    provider: provider ?? null,
    opened_at: dateOf(openedAt),
    expires_at: dateOf(expiresAt),
    idle_until: dateOf(idleUntil),
  };
}

const dateOf = (milliseconds: number) => new Date(milliseconds).toISOString();

/** The session of the browser, and the ways to sign in. */
export const SessionStateReply = Type.Object(
  {
    session: nullable(SessionReply),
    sign_in: Type.Object({
      password: Type.Boolean({ description: 'User name and password are accepted.' }),
      api_key: Type.Boolean({ description: 'API keys are accepted.' }),
      forgotten_password: nullable(
        Type.String({ description: 'What users do who forgot their password (`web.forgotten_password`).' }),
      ),
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

/** Members of a refused sign-in beside its message. */
export const SIGN_IN_REFUSAL = {
  second_factors: {
    type: 'array',
    items: { enum: ['security_key', 'one_time_password', 'recovery_code'] },
    description: 'With `second_factor_required`: the kinds that the account has, the safest first.',
  },
  challenge: {
    type: 'object',
    description: 'With `second_factor_required`: for `navigator.credentials.get`, if there are security keys.',
  },
  user: { type: 'string', description: 'With `ticket`: the user who signed in at the provider.' },
  ticket: {
    type: 'string',
    description: 'With `second_factor_required` after a sign-in at a provider: for the next `POST /session`.',
  },
} as const;
