import { Forbidden, Unauthenticated } from '../../errors/errors.ts';
import type { RouteModule } from '../../http/route-access.ts';

/** Ways to get an account or to sign in that need an e-mail server or SAML, by the operations of the public system. */
const SIGN_UP = [
  ['GET', '/api/v4/auth/signup/', 'signup', 'Ask for an account'],
  ['POST', '/api/v4/auth/signup/', 'signup', 'Ask for an account'],
  ['POST', '/api/v4/auth/signup_validate/', 'signup_validate', 'Confirm that'],
  ['GET', '/api/v4/auth/get_reset_link/', 'get_reset_link', 'Ask for a link to set a new password'],
  ['POST', '/api/v4/auth/get_reset_link/', 'get_reset_link', 'Ask for a link to set a new password'],
  ['GET', '/api/v4/auth/reset_pwd/', 'reset_pwd', 'Set a new password with that link'],
  ['POST', '/api/v4/auth/reset_pwd/', 'reset_pwd', 'Set a new password with that link'],
] as const;
const SAML = [
  ['GET', '/api/v4/auth/saml/sso/', 'saml_sso', 'Sign in with SAML'],
  ['GET', '/api/v4/auth/saml/acs/', 'saml_acs', 'Come back from there'],
  ['POST', '/api/v4/auth/saml/acs/', 'saml_acs', 'Come back from there'],
] as const;

const tags = ['auth'];

/** Routes of what this program never has switched on: they answer as the public system does where an installation has not. */
export const absentLoginRoutes: RouteModule = (app) => {
  const serve = ([method, url, name, summary]: (typeof SIGN_UP | typeof SAML)[number], refusal: () => Error): void => {
    app.route({
      method,
      url,
      access: 'public',
      schema: {
        tags,
        operationId: `auth_${name}${method === 'GET' ? '_by_address' : ''}`,
        summary,
        description: 'Always refused: this installation does not offer it.',
      },
      handler: () => Promise.reject(refusal()),
    });
  };
  for (const route of SIGN_UP) {
    serve(
      route,
      () => new Forbidden('signup_disabled', 'Signup process has been disabled', { response: { success: false } }),
    );
  }
  for (const route of SAML) {
    serve(
      route,
      () => new Unauthenticated('saml_disabled', 'SAML disabled on the server', { response: { err_code: 0 } }),
    );
  }
};
