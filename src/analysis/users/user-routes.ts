import { stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import type { User } from '../../documents/kinds/user.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { Forbidden, NotFound } from '../../errors/errors.ts';
import { auditOrigin } from '../../http/audit-origin.ts';
import { JSON_TYPE } from '../../http/failure-answers.ts';
import { objectBody } from '../../http/object-body.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { SESSION_COOKIE } from '../../identity/analysis/analysis-identity.ts';
import type { AvatarService } from '../../identity/avatar-service.ts';
import type { UserAccounts } from '../../identity/user-accounts.ts';
import type { UserStore } from '../../identity/user-store.ts';
import { Type } from '../../schema/type.ts';
import { callerOf } from '../analysis-guard.ts';
import { refusingWith } from '../refusal-response.ts';
import type { AccountService } from './account-service.ts';
import { accountView } from './account-view.ts';
import type { RemainingQuotas } from './remaining-quotas.ts';
import { listUsers } from './user-list.ts';
import type { UserSettingsService } from './user-settings-service.ts';
import type { Whoami } from './whoami.ts';

export interface UserRouteDependencies {
  readonly users: UserStore;
  readonly collection: Collection<User>;
  readonly accounts: UserAccounts;
  readonly accountService: AccountService;
  readonly avatars: AvatarService;
  readonly userSettings: UserSettingsService;
  readonly whoami: Whoami;
  readonly remaining: RemainingQuotas;
  readonly classification: ClassificationEngine;
  readonly settings: Config['analysis'];
}

const BY_ROLES = { privileges: 'by_roles', quota: 'concurrent' } as const;
const READ: GuardedAccess = { ...BY_ROLES, roles: 'any' };
const CHANGE: GuardedAccess = { ...BY_ROLES, roles: ['self_manage', 'administration'], audit: true };
const ADMINISTER: GuardedAccess = { ...BY_ROLES, roles: ['administration'], audit: true, fullScope: true };

const tags = ['user'];
const Anything = Type.Record(Type.String(), Type.Unknown());
const Success = Type.Object({ success: Type.Boolean() });
const AccountBody = Type.Object({
  name: Type.String({ description: 'Full name; empty for a new account: the user name.' }),
  new_pass: Type.Optional(Type.String({ description: 'Password. Without it nobody logs in by password.' })),
  type: Type.Optional(Type.Array(Type.String())),
});
const ListQuery = Type.Object({
  query: Type.Optional(Type.String({ description: 'Which accounts. Default: all.' })),
  offset: Type.Optional(Type.Integer()),
  rows: Type.Optional(Type.Integer({ description: 'Default: 100.' })),
  sort: Type.Optional(Type.String({ description: '`name asc`' })),
});

const NO_SESSION = stringifySetCookie({ name: SESSION_COOKIE, value: '', path: '/', maxAge: 0, httpOnly: true });
const SUCCESS = { success: true };
const FAILURE = { success: false };

interface ByName {
  Params: { username: string };
}

/** `/api/v4/user/`: who the caller is, accounts, what is left of their quotas (contract/analysis.md sections 2.4 and 2.7). */
export const userRoutes =
  (dependencies: UserRouteDependencies): RouteModule =>
  (app) => {
    const { users, accountService, avatars, whoami, remaining, classification, settings } = dependencies;
    const { default_quotas: quotas } = settings.ui;

    app.get(
      '/api/v4/user/whoami/',
      {
        access: { ...READ, quota: true, audit: true, beforeTerms: true },
        schema: {
          tags,
          operationId: 'user_who_am_i',
          summary: 'Who the caller is, and what the installation offers them',
          response: { 200: Anything },
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        const packed = takesGzip(request.headers['accept-encoding']);
        const body = await whoami.answer(caller, packed);
        if (packed) reply.header('content-encoding', 'gzip');
        reply.header('vary', 'accept-encoding');
        const quotaHeaders = await remaining.headersFor(caller);
        if (quotaHeaders !== undefined) {
          reply.headers(quotaHeaders);
          // The public system keeps the figures in a session. Callers without one are told that they have none.
          if (caller.method !== 'session') reply.header('set-cookie', NO_SESSION);
        }
        return reply.header('content-type', JSON_TYPE).send(body);
      },
    );

    app.get(
      '/api/v4/user/list/',
      {
        access: { ...ADMINISTER, audit: false, fullScope: false },
        schema: {
          tags,
          operationId: 'user_list_users',
          summary: 'Search for accounts',
          querystring: ListQuery,
          response: { 200: Anything },
        },
      },
      ({ query }) => listUsers(dependencies.collection, classification, query as Readonly<Record<string, unknown>>),
    );

    app.get<ByName>(
      '/api/v4/user/:username/',
      {
        access: READ,
        schema: {
          tags,
          operationId: 'user_get_user_account',
          summary: 'Get an account, the own or as administrator any',
          querystring: Type.Object({
            load_avatar: Type.Optional(Type.String({ description: 'Present: with picture.' })),
          }),
          response: { 200: Anything },
        },
      },
      async ({ actor, params: { username }, query }) => {
        const user = await users.get(username);
        if (user === undefined) throw userMissing(username, {});
        const wantsAvatar = (query as { load_avatar?: unknown }).load_avatar !== undefined;
        const avatar = wantsAvatar ? ((await avatars.get(username))?.picture ?? null) : undefined;
        return accountView(user, { quotas, classification, withIdentity: actor.isAdmin, avatar });
      },
    );

    app.put<ByName>(
      '/api/v4/user/:username/',
      {
        access: ADMINISTER,
        schema: {
          tags,
          operationId: 'user_add_user_account',
          summary: 'Create an account',
          body: AccountBody,
          response: { 200: Success },
        },
      },
      (request) =>
        refusingWith(FAILURE, async () => {
          const { username } = request.params;
          const input = objectBody(request.body);
          await accountService.create(username, input, auditOrigin(request, 'analysis'));
          if (typeof input.avatar === 'string') await avatars.set(username, input.avatar);
          return SUCCESS;
        }),
    );

    app.post<ByName>(
      '/api/v4/user/:username/',
      {
        access: CHANGE,
        schema: {
          tags,
          operationId: 'user_set_user_account',
          summary: 'Change an account, the own or as administrator any',
          body: AccountBody,
          response: { 200: Success },
        },
      },
      (request) => refusingWith(FAILURE, () => changeAccount(dependencies, request)),
    );

    app.delete<ByName>(
      '/api/v4/user/:username/',
      {
        access: ADMINISTER,
        schema: {
          tags,
          operationId: 'user_remove_user_account',
          summary: 'Delete an account with all that belongs to it',
          response: { 200: Success },
        },
      },
      (request) =>
        refusingWith(FAILURE, async () => {
          await accountService.delete(request.params.username, auditOrigin(request, 'analysis'));
          return SUCCESS;
        }),
    );

    app.get<ByName>(
      '/api/v4/user/quotas/:username/',
      {
        access: { ...READ, audit: true },
        schema: {
          tags,
          operationId: 'user_get_remaining_quotas',
          summary: 'What is left of the daily quotas; 0 also stands for unlimited',
          response: { 200: Type.Object({ daily_api: Type.Integer(), daily_submission: Type.Integer() }) },
        },
      },
      async ({ params: { username } }) => {
        const user = await users.recent(username);
        if (user === undefined) throw userMissing(username, {});
        return remaining.of(user);
      },
    );

    app.get<ByName>(
      '/api/v4/user/tos/:username/',
      {
        access: { ...BY_ROLES, roles: ['self_manage'], audit: true, beforeTerms: true },
        schema: {
          tags,
          operationId: 'user_agree_with_tos',
          summary: 'Agree to the terms of service',
          response: { 200: Success },
        },
      },
      async (request) => {
        const { username } = request.params;
        // Nobody agrees in the name of somebody else, administrators included.
        if (username !== request.actor.username) {
          throw new Forbidden('not_own_account', 'Your username does not match requested username', { response: {} });
        }
        await dependencies.accounts.change(username, auditOrigin(request, 'analysis'), undefined, (user) => ({
          ...user,
          agrees_with_tos: formatDate(new Date()),
          is_active: !settings.ui.tos_lockout,
        }));
        return SUCCESS;
      },
    );
  };

async function changeAccount(
  { users, accountService, avatars }: UserRouteDependencies,
  request: FastifyRequest<ByName>,
): Promise<typeof SUCCESS> {
  const { username } = request.params;
  const input = objectBody(request.body);
  const stored = await users.get(username);
  if (stored === undefined) throw userMissing(username, FAILURE);
  await accountService.change(request.actor, username, input, auditOrigin(request, 'analysis'));
  if (input.avatar === null) await avatars.delete(username);
  else if (input.avatar !== undefined) await avatars.set(username, input.avatar);
  return SUCCESS;
}

/** @param response data of the answer, which differs by route */
export function userMissing(username: string, response: object): NotFound {
  return new NotFound('user_missing', `User ${username} does not exists`, { response });
}

/** Whether a caller takes gzip (RFC 9110 section 12.5.3); those who weigh it at 0 do not. */
function takesGzip(accepted: string | string[] | undefined): boolean {
  if (typeof accepted !== 'string') return false;
  return accepted.split(',').some((one) => /^\s*gzip\s*(;\s*q=(1|0\.\d*[1-9]).*)?$/i.test(one));
}
