import { Type } from 'typebox';
import { CredentialFields } from '../../http/input/input-schemas.ts';
import { text } from '../../input/input-kinds.ts';
import { nullable, nullableText } from '../../input/nullable.ts';

const time = (description: string) => nullable(Type.String({ format: 'date-time', description }), { description });

/** The second factors of the caller. */
export const SecondFactorsReply = Type.Object(
  {
    one_time_passwords: Type.Boolean({ description: 'One-time passwords are set up.' }),
    security_keys: Type.Array(
      Type.Object({
        name: Type.String(),
        created: time('Time of the registration; null: it was registered by another program.'),
        last_used: time('Day of the last sign-in with it, at midnight UTC.'),
      }),
    ),
    recovery_codes: Type.Integer({ description: 'Number of recovery codes that are left.' }),
    allowed: Type.Object(
      { one_time_passwords: Type.Boolean(), security_keys: Type.Boolean() },
      { description: 'The kinds that the settings of the installation admit.' },
    ),
    security_key_host: nullableText(
      'Host name that security keys are registered for: pages at another address cannot use them. Null: the installation has none.',
    ),
    proved_until: time('Time until which second factors can be changed without a further proof. Null: send one first.'),
  },
  { title: 'SecondFactors' },
);

const { otp, webauthn_auth_resp, password } = CredentialFields;

/** A proof that the user is there. */
export const ProofBody = Type.Object(
  { password, otp, webauthn_auth_resp },
  { title: 'Proof', examples: [{ password: 'admin' }] },
);
export const ProofReply = Type.Object({ proved_until: Type.String({ format: 'date-time' }) });

export const OneTimePasswordSetup = Type.Object({
  address: Type.String({ description: '`otpauth://totp/…`: what authenticator apps read.' }),
  qr_code: Type.String({ description: 'The same as a QR code: an SVG image.' }),
  secret: Type.String({ description: 'The secret alone, to be typed in.' }),
});
export const OneTimePasswordBody = Type.Object(
  { code: text({ description: 'Code of the moment.' }) },
  { title: 'OneTimePasswordCode', examples: [{ code: '123456' }] },
);

/** Options for `navigator.credentials`, as `PublicKeyCredential.parse…OptionsFromJSON()` reads them. */
export const KeyOptions = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Options for `navigator.credentials`, in JSON of WebAuthn.',
});
const keyName = text({ description: 'Name of the security key.' });
export const SecurityKeyBody = Type.Object(
  {
    name: keyName,
    answer: Type.Unknown({ description: 'What `PublicKeyCredential.toJSON()` makes of the answer of the key.' }),
  },
  { title: 'SecurityKey', examples: [{ name: 'Office', answer: {} }] },
);
export const SecurityKeyName = Type.Object(
  { name: keyName },
  { title: 'SecurityKeyName', examples: [{ name: 'Office' }] },
);

/** Recovery codes, which are shown once. */
export const RecoveryCodesReply = Type.Object({
  recovery_codes: nullable(Type.Array(Type.String()), {
    description: 'Ten codes, each of which stands in for a second factor once. Null: the account had codes already.',
  }),
});
