import { type Static, type TArray, type TObject, type TSchema, type TString, type TUnsafe, Type } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import { converted, oneOf, reading, refusing, text } from '../../input/input-kinds.ts';
import { InputProblem, type InputReader, inputReader } from '../../input/input-reader.ts';
import { refusalOf } from './request-input.ts';

/** Parts of a path by name, `:username`, each with description and example. They are always there. */
export function pathParameters<const Name extends string>(
  parts: Readonly<Record<Name, readonly [description: string, example: string]>>,
): TObject<Record<Name, TString>> {
  const members = Object.entries<readonly [string, string]>(parts).map(([name, [description, example]]) => [
    name,
    Type.String({ description, examples: [example] }),
  ]);
  return Type.Object(Object.fromEntries(members) as Record<Name, TString>);
}

/** Refuses a body in words that clients of the public systems know. */
export const wrongBody = (message: string) => () => new InvalidInput('invalid_body', message);

/** Passes on a function that reads the input, so that a handler can report a missing record first. */
export function deferred<Schema extends TSchema>(schema: Schema): TUnsafe<() => Static<Schema>> {
  let read: InputReader<Static<Schema>> | undefined;
  const convert = (given: unknown) => (): Static<Schema> => {
    read ??= inputReader(schema);
    const value = read(given);
    if (value instanceof InputProblem) throw refusalOf(value);
    return value;
  };
  return reading(schema, { unchecked: true, convert }) as unknown as TUnsafe<() => Static<Schema>>;
}

/** A body that is a list of strings, such as identifiers. */
export function textListBody(
  message: string,
  options: { readonly minItems?: number; readonly default?: string[]; readonly examples?: string[][] } = {},
): TArray<TString> {
  const refuse = wrongBody(message);
  return refusing(Type.Array(refusing(Type.String(), refuse), { ...options }), refuse);
}

/** When searches see a change: `now`, those that start after the answer, or `soon`. */
export const refresh = converted(
  refusing(
    reading(
      oneOf(['true', 'wait_for', 'false'], {
        description: '`true` or `wait_for`: searches see the change once it is answered.',
        default: 'false',
      }),
      { accept: (value) => (value === undefined ? value : String(value).toLowerCase()) },
    ),
    ({ value }) =>
      new InvalidInput('invalid_refresh', `Invalid refresh option: [${String(value).toLowerCase()}]`, {
        at: 'refresh',
      }),
  ),
  (option): 'now' | 'soon' => (option === 'false' ? 'soon' : 'now'),
);
export const RefreshQuery = Type.Object({ refresh });

/** A member that the public system names in quotes and alone when it is missing. */
export function requiredMember<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return refusing(schema, ({ kind }) =>
    kind === 'missing' ? new InvalidInput('member_missing', `'${name}'`, { at: name }) : undefined,
  );
}

/** The answer of an identity provider through the browser (RFC 6749 section 4.1.2, RFC 9207). */
export const ProviderAnswerFields = {
  code: Type.Optional(text({ description: 'What the provider sent the browser back with, as all that follows.' })),
  state: Type.Optional(text()),
  iss: Type.Optional(text()),
  error: Type.Optional(text()),
  error_description: Type.Optional(text()),
};

/** Arguments of a login at a provider (contract/alert.md section 2.2, enrichment.md 1.4). */
export const ProviderLoginFields = {
  provider: Type.Optional(text({ description: 'Name of the identity provider; `oauth_provider` is the same.' })),
  oauth_provider: Type.Optional(text()),
  refresh_token: Type.Optional(text({ description: 'Of that provider, for a new access token.' })),
  nonce: Type.Optional(text({ description: 'Made up by the page; comes back in the identity token.' })),
  ...ProviderAnswerFields,
};

/** A login that names its provider. */
export type ProviderLogin = Static<TObject<typeof ProviderLoginFields>> & { readonly provider: string };

/** Credentials of a user as JSON, form or query. */
export const CredentialFields = {
  user: Type.Optional(text()),
  password: Type.Optional(text()),
  otp: Type.Optional(
    reading(text({ description: 'One-time password, for users who have set that up, or a recovery code.' }), {
      // Clients of the public system send the code as a number, too, which loses its first zeros.
      accept: (value) =>
        typeof value === 'number' ? String(value).padStart(6, '0') : value === '' ? undefined : value,
    }),
  ),
  webauthn_auth_resp: Type.Optional(
    Type.Unknown({
      description:
        'Answer of a security key: JSON as `PublicKeyCredential.toJSON()` makes it, or the bytes of CBOR as a list of numbers.',
    }),
  ),
  apikey: Type.Optional(text({ description: '`<key name>:<secret>`' })),
};
