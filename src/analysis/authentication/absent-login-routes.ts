import { Forbidden, Unauthenticated } from '../../errors/errors.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { operation } from '../analysis-operation.ts';

const signUpDisabled = () =>
  new Forbidden('signup_disabled', 'Signup process has been disabled', { response: { success: false } });
const samlDisabled = () =>
  new Unauthenticated('saml_disabled', 'SAML disabled on the server', { response: { err_code: 0 } });

const BOTH = ['GET', 'POST'] as const;

/** Operations of the public system that need an e-mail server or SAML. */
const ABSENT = [
  [BOTH, 'signup/', 'signup', 'Ask for an account', signUpDisabled],
  [['POST'], 'signup_validate/', 'signup_validate', 'Confirm that', signUpDisabled],
  [BOTH, 'get_reset_link/', 'get_reset_link', 'Ask for a link to set a new password', signUpDisabled],
  [BOTH, 'reset_pwd/', 'reset_pwd', 'Set a new password with that link', signUpDisabled],
  [['GET'], 'saml/sso/', 'saml_sso', 'Sign in with SAML', samlDisabled],
  [BOTH, 'saml/acs/', 'saml_acs', 'Come back from there', samlDisabled],
] as const;

/** Registers the routes of missing functions, which answer like the public system without them. */
export const absentLoginRoutes: RouteModule = (app) => {
  for (const [methods, path, name, summary, refusal] of ABSENT) {
    for (const method of methods) {
      app.route({
        method,
        url: `/api/v4/auth/${path}`,
        access: 'public',
        schema: operation(`auth_${name}${method === 'GET' ? '_by_address' : ''}`, summary, {
          description: 'Always refused: this installation does not offer it.',
        }),
        handler: () => Promise.reject(refusal()),
      });
    }
  }
};
