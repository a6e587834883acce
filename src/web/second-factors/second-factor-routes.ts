import type { FastifyRequest } from 'fastify';
import { renderSVG } from 'uqr';
import type { Settings } from '../../config/config-schema.ts';
import { auditOrigin, requestOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { type GuardedAccess, NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import type { ProvableSession } from '../../identity/second-factors/recent-proofs.ts';
import { configuredRelyingParty } from '../../identity/second-factors/relying-party.ts';
import { sessionEnded } from '../../identity/sessions/web-sessions.ts';
import type { WebIdentity } from '../../identity/web-identity.ts';
import { readSessionCookie } from '../session/session-cookie.ts';
import {
  KeyOptions,
  OneTimePasswordBody,
  OneTimePasswordSetup,
  ProofBody,
  ProofReply,
  RecoveryCodesReply,
  SecondFactorsReply,
  SecurityKeyBody,
  SecurityKeyName,
} from './second-factor-schemas.ts';

export interface SecondFactorRouteDependencies {
  readonly identity: WebIdentity;
  readonly settings: Pick<Settings, 'analysis' | 'http' | 'web'>;
}

const tags = ['second factors'];
const PATH = '/session/second-factors';
const READ: GuardedAccess = { privileges: ['R', 'W', 'E'], roles: 'any' };
const CHANGE: GuardedAccess = { ...READ, fullScope: true };
const ByName = pathParameters({ name: ['Name of the security key.', 'Office'] });
const refusals = [400, 403, 429] as const;
const CHANGES = 'Needs a sign-in or a proof within the last five minutes (403 `proof_required`).';

/**
 * Registers `/session/second-factors`: the second factors of the caller. A change needs a sign-in, or
 * another proof of identity, within the last five minutes.
 */
export const secondFactorRoutes =
  ({ identity, settings }: SecondFactorRouteDependencies): RouteModule =>
  (app) => {
    const { factorAccounts: accounts, secondFactors, proofs } = identity;
    const { allow_2fa, allow_security_tokens } = settings.analysis.auth;
    const host = configuredRelyingParty(settings)?.id ?? null;

    const provable = async ({ place, headers }: FastifyRequest): Promise<ProvableSession> => {
      const found = await identity.sessionOf(readSessionCookie(place, headers.cookie) ?? '');
      if (found === undefined) throw sessionEnded();
      const { id, username, openedAt, openedWith } = found.session;
      return { id, username, openedAt, isOfPerson: openedWith !== 'api_key' };
    };
    /** Returns the user and the origin of a change. @throws Forbidden `proof_required` */
    const changing = async (request: FastifyRequest) => {
      const session = await provable(request);
      await proofs.assertRecent(session);
      return { user: session.username, origin: auditOrigin(request, 'web') };
    };
    const describe = (summary: string, description?: string) => ({
      ...{ tags, summary, refusals },
      ...(description === undefined ? {} : { description }),
    });

    app.get(
      PATH,
      {
        access: READ,
        schema: { ...describe("List the caller's second factors"), response: { 200: SecondFactorsReply } },
      },
      async (request) => ({
        ...(await accounts.list(request.actor.username)),
        allowed: { one_time_passwords: allow_2fa, security_keys: allow_security_tokens },
        security_key_host: host,
        proved_until: dateOf(await proofs.endOf(await provable(request))),
      }),
    );

    app.post(
      `${PATH}/proof`,
      {
        access: CHANGE,
        schema: {
          ...describe(
            'Confirm the identity of the caller',
            'By the password, or by a second factor. Counts for five minutes, within the limits of logins.',
          ),
          ...{ body: ProofBody, response: { 200: ProofReply } },
        },
      },
      async (request) => {
        const ends = await proofs.prove(await provable(request), request.body, requestOrigin(request));
        return { proved_until: new Date(ends).toISOString() };
      },
    );

    app.post(
      `${PATH}/proof/challenge`,
      {
        access: CHANGE,
        compress: false,
        schema: { ...describe('Begin a proof with a security key'), response: { 200: KeyOptions } },
      },
      async (request) => {
        const { address } = requestOrigin(request);
        return secondFactors.challengeOfSession(request.actor.username, address);
      },
    );

    app.post(
      `${PATH}/one-time-passwords`,
      {
        access: CHANGE,
        compress: false,
        schema: {
          ...describe('Begin to set up one-time passwords', CHANGES),
          response: { 200: OneTimePasswordSetup },
        },
      },
      async (request) => {
        const { user } = await changing(request);
        const { secret, address } = await accounts.beginOneTimePasswords(user);
        return { secret, address, qr_code: renderSVG(address, { pixelSize: 3 }) };
      },
    );

    app.put(
      `${PATH}/one-time-passwords`,
      {
        access: CHANGE,
        compress: false,
        schema: {
          ...describe('Confirm one-time passwords with a code', CHANGES),
          ...{ body: OneTimePasswordBody, response: { 200: RecoveryCodesReply } },
        },
      },
      async (request) => {
        const { user, origin } = await changing(request);
        await accounts.confirmOneTimePasswords(user, request.body.code, origin);
        return { recovery_codes: (await accounts.firstRecoveryCodes(user, origin)) ?? null };
      },
    );

    app.delete(
      `${PATH}/one-time-passwords`,
      { access: CHANGE, schema: { ...describe('Remove one-time passwords', CHANGES), response: NO_CONTENT } },
      async (request) => {
        const { user, origin } = await changing(request);
        await accounts.removeOneTimePasswords(user, origin);
      },
    );

    app.post(
      `${PATH}/security-keys/challenge`,
      {
        access: CHANGE,
        compress: false,
        schema: { ...describe('Begin the registration of a security key', CHANGES), response: { 200: KeyOptions } },
      },
      async (request) => {
        const { user } = await changing(request);
        return accounts.beginSecurityKey(user, requestOrigin(request).address);
      },
    );

    app.post(
      `${PATH}/security-keys`,
      {
        access: CHANGE,
        compress: false,
        schema: {
          ...describe('Register a security key', CHANGES),
          ...{ body: SecurityKeyBody, response: { 200: RecoveryCodesReply } },
        },
      },
      async (request) => {
        const { user, origin } = await changing(request);
        const { name, answer } = request.body;
        await accounts.addSecurityKey(user, name, answer, origin);
        return { recovery_codes: (await accounts.firstRecoveryCodes(user, origin)) ?? null };
      },
    );

    app.put(
      `${PATH}/security-keys/:name`,
      {
        access: CHANGE,
        schema: {
          ...describe('Rename a security key', CHANGES),
          ...{ params: ByName, body: SecurityKeyName, response: NO_CONTENT },
        },
      },
      async (request) => {
        const { user, origin } = await changing(request);
        await accounts.renameSecurityKey(user, request.params.name, request.body.name, origin);
      },
    );

    app.delete(
      `${PATH}/security-keys/:name`,
      {
        access: CHANGE,
        schema: { ...describe('Remove a security key', CHANGES), params: ByName, response: NO_CONTENT },
      },
      async (request) => {
        const { user, origin } = await changing(request);
        await accounts.removeSecurityKey(user, request.params.name, origin);
      },
    );

    app.post(
      `${PATH}/recovery-codes`,
      {
        access: CHANGE,
        compress: false,
        schema: {
          ...describe('Replace the recovery codes', `The earlier ones are void. ${CHANGES}`),
          response: { 200: RecoveryCodesReply },
        },
      },
      async (request) => {
        const { user, origin } = await changing(request);
        return { recovery_codes: await accounts.renewRecoveryCodes(user, origin) };
      },
    );
  };

function dateOf(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}
