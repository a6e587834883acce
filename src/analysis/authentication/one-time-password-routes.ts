import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { renderSVG } from 'uqr';
import { auditOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import {
  accountPageRequired,
  type SecondFactorAccounts,
} from '../../identity/second-factors/second-factor-accounts.ts';
import { handedCookie } from '../../identity/sessions/handed-cookies.ts';
import { callerOf } from '../analysis-guard.ts';
import { ANYONE, OF_USER, operation, Success } from '../operations/analysis-operation.ts';

/** Users for themselves, with a credential of full scope. */
export const OWN_ACCOUNT = { ...ANYONE, roles: ['self_manage'], inOwnName: true, fullScope: true } as const;

const Setup = Type.Object({
  otp_url: Type.String({ description: '`otpauth://totp/…`: what authenticator apps read.' }),
  qrcode: Type.String({ description: 'The same as a QR code: an SVG image.' }),
  secret_key: Type.String({ description: 'The secret alone, to be typed in.' }),
});

/** Serves the setup, confirmation and removal of one-time passwords (contract/analysis.md section 2.6). */
export const oneTimePasswordRoutes =
  ({ factorAccounts }: { factorAccounts: SecondFactorAccounts }): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/auth/setup_otp/',
      {
        access: OWN_ACCOUNT,
        compress: false,
        schema: operation('auth_setup_otp', 'Begin to set up one-time passwords', { reply: Setup }),
      },
      async (request) => {
        const { secret, address } = await factorAccounts.beginOneTimePasswords(ownUser(request));
        return { otp_url: address, qrcode: renderSVG(address, { pixelSize: 3 }), secret_key: secret };
      },
    );

    app.get(
      '/api/v4/auth/validate_otp/:token/',
      {
        access: { ...ANYONE, inOwnName: true },
        schema: operation('auth_validate_otp', 'Confirm one-time passwords with a code', {
          params: pathParameters({ token: ['Code of the moment.', '123456'] }),
          reply: Success,
        }),
      },
      async (request) => {
        const origin = auditOrigin(request, 'analysis');
        await factorAccounts.confirmOneTimePasswords(ownUser(request), request.params.token, origin);
      },
    );

    app.get(
      '/api/v4/auth/disable_otp/',
      {
        access: OWN_ACCOUNT,
        schema: operation('auth_disable_otp', "Switch the caller's own one-time passwords off", { reply: Success }),
      },
      async (request) => factorAccounts.removeAll(ownUser(request), auditOrigin(request, 'analysis')),
    );

    app.get(
      '/api/v4/auth/unset_otp/:username/',
      {
        access: { ...OWN_ACCOUNT, roles: ['administration'] },
        schema: operation('auth_unset_otp', "Switch a user's one-time passwords off", OF_USER),
      },
      async (request) => {
        const { username } = request.params;
        const user = username === callerOf(request).username ? ownUser(request) : username;
        await factorAccounts.removeAll(user, auditOrigin(request, 'analysis'));
      },
    );
  };

/**
 * Returns the caller, whose own second factors change. Sessions of the web interface first prove
 * that the user is there, which these routes of the public system do not know. @throws Forbidden `account_page_required`
 */
export function ownUser(request: FastifyRequest): string {
  if (handedCookie(request.raw) === undefined) return callerOf(request).username;
  throw accountPageRequired();
}
