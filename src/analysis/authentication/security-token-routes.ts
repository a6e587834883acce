import { Type } from 'typebox';
import { Forbidden, InvalidInput, isTriadError } from '../../errors/errors.ts';
import { auditOrigin, requestOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { SecondFactorAccounts } from '../../identity/second-factors/second-factor-accounts.ts';
import type { SecondFactors } from '../../identity/second-factors/second-factors.ts';
import { optionsAsBytes } from '../../identity/second-factors/security-key-options.ts';
import { ByName as ByUser, operation, Success } from '../operations/analysis-operation.ts';
import { OWN_ACCOUNT, ownUser } from './one-time-password-routes.ts';

interface SecurityTokenDependencies {
  readonly secondFactors: SecondFactors;
  readonly factorAccounts: SecondFactorAccounts;
}

const Bytes = Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), {
  description: 'Bytes of CBOR: what `navigator.credentials` takes, with byte strings for identifiers and challenge.',
});
const ByName = pathParameters({ name: ['Name of the security token.', 'key'] });

/** Serves `/api/v4/webauthn/`: security tokens (FIDO2), as pages of the public system use them. */
export const securityTokenRoutes =
  ({ secondFactors, factorAccounts }: SecurityTokenDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/webauthn/authenticate/begin/:username/',
      {
        access: 'public',
        compress: false,
        schema: operation('webauthn_authenticate_begin', 'Begin a login with a security token', {
          description:
            'Gives the challenge within five minutes after a login with the right password and without a second factor, from the same network. Before that it does not tell which users there are.',
          params: ByUser,
          reply: Bytes,
          refusals: [400, 403, 429],
        }),
      },
      async (request) => {
        const { address } = requestOrigin(request);
        return optionsAsBytes(await secondFactors.challenge(request.params.username, address).catch(inWordsOfService));
      },
    );

    app.post(
      '/api/v4/webauthn/register/begin/',
      {
        access: OWN_ACCOUNT,
        compress: false,
        schema: operation('webauthn_register_begin', 'Begin the registration of a security token', {
          reply: Bytes,
          refusals: [403, 429],
        }),
      },
      async (request) => {
        const username = ownUser(request);
        // These pages show no recovery codes: the code of an app is the way in when the token is lost.
        if (!(await factorAccounts.list(username)).one_time_passwords) {
          throw new Forbidden('one_time_passwords_missing', 'OTP must be setup before adding security tokens');
        }
        return optionsAsBytes(await factorAccounts.beginSecurityKey(username, requestOrigin(request).address));
      },
    );

    app.post(
      '/api/v4/webauthn/register/complete/:name/',
      {
        access: OWN_ACCOUNT,
        body: 'lenient_json',
        schema: operation('webauthn_register_complete', 'Register a security token', {
          params: ByName,
          body: Type.Unknown({
            description:
              'CBOR of `{attestationObject, clientDataJSON}` as a list of bytes, or the JSON of the browser.',
            examples: [[162, 113]],
          }),
          reply: Success,
          refusals: [429],
        }),
        refusal: { success: false },
      },
      async (request) => {
        const username = ownUser(request);
        await factorAccounts.addSecurityKey(
          username,
          request.params.name,
          request.body,
          auditOrigin(request, 'analysis'),
        );
      },
    );

    app.get(
      '/api/v4/webauthn/remove/:name/',
      {
        access: OWN_ACCOUNT,
        schema: operation('webauthn_remove', 'Remove a security token', { params: ByName, reply: Success }),
      },
      async (request) => {
        const username = ownUser(request);
        await factorAccounts
          .removeSecurityKey(username, request.params.name, auditOrigin(request, 'analysis'))
          .catch(unlessMissing);
      },
    );
  };

/** Refuses in the words of the public system. */
function inWordsOfService(error: unknown): never {
  if (isTriadError(error) && error.code === 'no_login_begun') {
    throw new InvalidInput('no_login_begun', 'Bad Request', { cause: error, response: { success: false } });
  }
  throw error;
}

/** Accepts the removal of a token that is not there, as the public system does. */
function unlessMissing(error: unknown): void {
  if (!isTriadError(error) || error.code !== 'security_key_missing') throw error;
}
