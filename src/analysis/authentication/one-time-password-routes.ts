import { Type } from 'typebox';
import { renderSVG } from 'uqr';
import { auditOrigin } from '../../http/audit-origin.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteAccess, RouteModule } from '../../http/route-access.ts';
import type { SecondFactor } from '../../identity/passwords/second-factor.ts';
import { callerOf } from '../analysis-guard.ts';

const OWN_ACCOUNT: RouteAccess = {
  privileges: 'by_roles',
  roles: ['self_manage'],
  quota: 'concurrent',
  inOwnName: true,
};

const tags = ['auth'];
const Success = Type.Object({ success: Type.Boolean() });
const Setup = Type.Object({
  otp_url: Type.String({ description: '`otpauth://totp/…`: what authenticator apps read.' }),
  qrcode: Type.String({ description: 'The same as a QR code: an SVG image.' }),
  secret_key: Type.String({ description: 'The secret alone, to be typed in.' }),
});

/** One-time passwords beside the password: set up, confirmed with a first code, taken away (contract/analysis.md section 2.6). */
export const oneTimePasswordRoutes =
  ({ secondFactor }: { secondFactor: SecondFactor }): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/auth/setup_otp/',
      {
        access: { ...OWN_ACCOUNT, fullScope: true },
        compress: false,
        schema: {
          tags,
          operationId: 'auth_setup_otp',
          summary: 'Begin to set up one-time passwords',
          response: { 200: Setup },
        },
      },
      async (request) => {
        const { secret, address } = await secondFactor.begin(callerOf(request).username);
        return { otp_url: address, qrcode: renderSVG(address, { pixelSize: 3 }), secret_key: secret };
      },
    );

    app.get(
      '/api/v4/auth/validate_otp/:token/',
      {
        access: { ...OWN_ACCOUNT, roles: 'any' },
        schema: {
          tags,
          operationId: 'auth_validate_otp',
          summary: 'Confirm one-time passwords with a code',
          params: pathParameters('token'),
          response: { 200: Success },
        },
      },
      async (request) => {
        const origin = auditOrigin(request, 'analysis');
        await secondFactor.confirm(callerOf(request).username, request.params.token, origin);
        return { success: true };
      },
    );

    app.get(
      '/api/v4/auth/disable_otp/',
      {
        access: { ...OWN_ACCOUNT, fullScope: true },
        schema: {
          tags,
          operationId: 'auth_disable_otp',
          summary: "Switch the caller's own one-time passwords off",
          response: { 200: Success },
        },
      },
      async (request) => {
        await secondFactor.remove(callerOf(request).username, auditOrigin(request, 'analysis'));
        return { success: true };
      },
    );

    app.get(
      '/api/v4/auth/unset_otp/:username/',
      {
        access: { ...OWN_ACCOUNT, roles: ['administration'], fullScope: true },
        schema: {
          tags,
          operationId: 'auth_unset_otp',
          summary: "Switch a user's one-time passwords off",
          params: pathParameters('username'),
          response: { 200: Success },
        },
      },
      async (request) => {
        await secondFactor.remove(request.params.username, auditOrigin(request, 'analysis'));
        return { success: true };
      },
    );
  };
