import { stringifySetCookie } from 'cookie';
import { Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import type { User } from '../../documents/kinds/user.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { Forbidden, NotFound } from '../../errors/errors.ts';
import { JSON_TYPE } from '../../http/answers/failure-answers.ts';
import { auditOrigin } from '../../http/audit-origin.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import type { AvatarService } from '../../identity/accounts/avatar-service.ts';
import type { UserAccounts } from '../../identity/accounts/user-accounts.ts';
import { SESSION_COOKIE } from '../../identity/analysis-identity.ts';
import type { UserStore } from '../../identity/user-store.ts';
import { documentOf, listOf, presence } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import type { AccountService } from './account-service.ts';
import { accountView } from './account-view.ts';
import type { RemainingQuotas } from './remaining-quotas.ts';
import { listUsers, UserListQuery } from './user-list.ts';
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
const nullableText = (description: string) => Type.Optional(Type.Union([Type.String(), Type.Null()], { description }));
const AccountBody = documentOf(
  {
    name: nullableText('Full name; empty for a new account: the user name.'),
    new_pass: nullableText('Password. Without it nobody logs in by password.'),
    avatar: nullableText('Picture as a data URI; null removes it.'),
    type: Type.Optional(listOf(Type.String())),
  },
  { description: 'Fields of an account.' },
);
const ByName = pathParameters('username');

const NO_SESSION = stringifySetCookie({ name: SESSION_COOKIE, value: '', path: '/', maxAge: 0, httpOnly: true });
const SUCCESS = { success: true };
const FAILURE = { success: false };

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
          querystring: UserListQuery,
          response: { 200: Anything },
        },
      },
      ({ query }) => listUsers(dependencies.collection, classification, query),
    );

    app.get(
      '/api/v4/user/:username/',
      {
        access: READ,
        schema: {
          tags,
          operationId: 'user_get_user_account',
          summary: 'Get an account, the own or as administrator any',
          params: ByName,
          querystring: Type.Object({ load_avatar: presence({ description: 'Present: with picture.' }) }),
          response: { 200: Anything },
        },
      },
      async ({ actor, params: { username }, query }) => {
        const user = await users.get(username);
        if (user === undefined) throw userMissing(username, {});
        const avatar = query.load_avatar ? ((await avatars.get(username))?.picture ?? null) : undefined;
        return accountView(user, { quotas, classification, withIdentity: actor.isAdmin, avatar });
      },
    );

    app.put(
      '/api/v4/user/:username/',
      {
        access: ADMINISTER,
        schema: {
          tags,
          operationId: 'user_add_user_account',
          summary: 'Create an account',
          params: ByName,
          body: AccountBody,
          response: { 200: Success },
        },
        refusal: FAILURE,
      },
      async (request) => {
        const { params, body } = request;
        await accountService.create(params.username, body, auditOrigin(request, 'analysis'));
        if (body.avatar) await avatars.set(params.username, body.avatar);
        return SUCCESS;
      },
    );

    app.post(
      '/api/v4/user/:username/',
      {
        access: CHANGE,
        schema: {
          tags,
          operationId: 'user_set_user_account',
          summary: 'Change an account, the own or as administrator any',
          params: ByName,
          body: AccountBody,
          response: { 200: Success },
        },
        refusal: FAILURE,
      },
      async (request) => {
        const { actor, params, body } = request;
        const { username } = params;
        if ((await users.get(username)) === undefined) throw userMissing(username, FAILURE);
        await accountService.change(actor, username, body, auditOrigin(request, 'analysis'));
        if (body.avatar === null) await avatars.delete(username);
        else if (body.avatar !== undefined) await avatars.set(username, body.avatar);
        return SUCCESS;
      },
    );

    app.delete(
      '/api/v4/user/:username/',
      {
        access: ADMINISTER,
        schema: {
          tags,
          operationId: 'user_remove_user_account',
          summary: 'Delete an account with all that belongs to it',
          params: ByName,
          response: { 200: Success },
        },
        refusal: FAILURE,
      },
      async (request) => {
        await accountService.delete(request.params.username, auditOrigin(request, 'analysis'));
        return SUCCESS;
      },
    );

    app.get(
      '/api/v4/user/quotas/:username/',
      {
        access: { ...READ, audit: true },
        schema: {
          tags,
          operationId: 'user_get_remaining_quotas',
          summary: 'What is left of the daily quotas; 0 also stands for unlimited',
          params: ByName,
          response: { 200: Type.Object({ daily_api: Type.Integer(), daily_submission: Type.Integer() }) },
        },
      },
      async ({ params: { username } }) => {
        const user = await users.recent(username);
        if (user === undefined) throw userMissing(username, {});
        return remaining.of(user);
      },
    );

    app.get(
      '/api/v4/user/tos/:username/',
      {
        access: { ...BY_ROLES, roles: ['self_manage'], audit: true, beforeTerms: true },
        schema: {
          tags,
          operationId: 'user_agree_with_tos',
          summary: 'Agree to the terms of service',
          params: ByName,
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

/** @param response data of the answer, which differs by route */
export function userMissing(username: string, response: object): NotFound {
  return new NotFound('user_missing', `User ${username} does not exists`, { response });
}

/** Whether a caller takes gzip (RFC 9110 section 12.5.3); those who weigh it at 0 do not. */
function takesGzip(accepted: string | string[] | undefined): boolean {
  if (typeof accepted !== 'string') return false;
  return accepted.split(',').some((one) => /^\s*gzip\s*(;\s*q=(1|0\.\d*[1-9]).*)?$/i.test(one));
}
