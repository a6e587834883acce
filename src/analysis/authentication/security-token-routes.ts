import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { ANYONE, operation } from '../operations/analysis-operation.ts';

const OWN: GuardedAccess = { ...ANYONE, roles: ['self_manage'] };
const FAILURE = { success: false };
const ByUser = pathParameters({ username: ['Name of the user.', 'admin'] });
const ByName = pathParameters({ name: ['Name of the security token.', 'key'] });

/** Operations with security tokens (FIDO2), which no account of this program has. */
const OPERATIONS = [
  ['GET', 'authenticate/begin/:username/', 'authenticate_begin', 'Begin a login with a security token', ByUser],
  ['POST', 'register/begin/', 'register_begin', 'Begin the registration of a security token', undefined],
  ['POST', 'register/complete/:name/', 'register_complete', 'Register a security token', ByName],
  ['GET', 'remove/:name/', 'remove', 'Remove a security token', ByName],
] as const;

/** Serves `/api/v4/webauthn/`: refuses, because this program offers one-time passwords alone. */
export const securityTokenRoutes: RouteModule = (app) => {
  for (const [method, path, name, summary, params] of OPERATIONS) {
    const isLogin = name === 'authenticate_begin';
    app.route({
      method,
      url: `/api/v4/webauthn/${path}`,
      access: isLogin ? 'public' : OWN,
      schema: {
        ...operation(`webauthn_${name}`, summary, {
          description: 'Always refused: this installation offers no security tokens.',
          refusals: [400],
        }),
        ...(params === undefined ? {} : { params }),
        response: {},
      },
      // A login tells no one which users there are; its text is that of the public system.
      handler: () => Promise.reject(refusal(isLogin ? 'Bad Request' : 'This installation offers no security tokens.')),
    });
  }
};

function refusal(message: string): InvalidInput {
  return new InvalidInput('security_tokens_absent', message, { response: FAILURE });
}
