import { Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import type { User } from '../../documents/kinds/user.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { Forbidden, NotFound } from '../../errors/errors.ts';
import { sendPacked } from '../../http/answers/packed-answer.ts';
import { auditOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import type { AvatarService } from '../../identity/accounts/avatar-service.ts';
import type { UserAccounts } from '../../identity/accounts/user-accounts.ts';
import type { UserStore } from '../../identity/user-store.ts';
import { documentOf, listOf, presence } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import { announceQuotas, type DailyQuotaDependencies, remainingQuotas } from '../analysis-quota.ts';
import { ANYONE, Anything, ByName, OF_USER, OWNERS, operation } from '../operations/analysis-operation.ts';
import { NO_SESSION } from '../session-cookies.ts';
import type { AccountService } from './account-service.ts';
import { accountView, listUsers, UserListQuery } from './account-view.ts';
import type { Whoami } from './whoami.ts';

export interface UserRouteDependencies {
  readonly users: UserStore;
  readonly collection: Collection<User>;
  readonly accounts: UserAccounts;
  readonly accountService: AccountService;
  readonly avatars: AvatarService;
  readonly whoami: Whoami;
  readonly counts: DailyQuotaDependencies['counts'];
  readonly classification: ClassificationEngine;
  readonly settings: Config;
}

const CHANGE: GuardedAccess = { ...OWNERS, audit: true };
const ADMINISTER: GuardedAccess = { ...ANYONE, roles: ['administration'], audit: true, fullScope: true };

const nullableText = (description: string) => Type.Optional(Type.Union([Type.String(), Type.Null()], { description }));
const AccountBody = documentOf(
  {
    name: nullableText('Full name; empty for a new account: the user name.'),
    new_pass: nullableText('Password. Without it there is no login by password.'),
    avatar: nullableText('Picture as a data URI; null removes it.'),
    type: Type.Optional(listOf(Type.String())),
  },
  { description: 'Fields of an account.', examples: [{ name: 'Grace Hopper' }] },
);

/** The example is a user that one route creates and another one deletes. */
const OF_MANAGED_USER = { ...OF_USER, params: pathParameters({ username: ['Name of the user.', 'grace'] }) };
const FAILURE = { success: false };

/** Serves `/api/v4/user/`: caller, accounts, quotas (contract/analysis.md sections 2.4 and 2.7). */
export const userRoutes =
  (dependencies: UserRouteDependencies): RouteModule =>
  (app) => {
    const { users, accountService, avatars, whoami, counts, classification, settings } = dependencies;
    const { default_quotas: quotas, tos_lockout: locksOut } = settings.analysis.ui;
    const daily = { counts, defaults: quotas };

    app.get(
      '/api/v4/user/whoami/',
      {
        access: { ...ANYONE, quota: true, audit: true, beforeTerms: true },
        schema: operation('user_who_am_i', 'Who the caller is, and what the installation offers them', {
          reply: Anything,
        }),
      },
      async (request, reply) => {
        const caller = callerOf(request);
        const body = await whoami.answer(caller);
        // Where quotas are enforced, every answer announces them.
        const hasQuota = !settings.ui.enforce_quota && (await announceQuotas(daily, caller, reply));
        // The public system keeps the figures in a session. Callers without one are told that they have none.
        if (hasQuota && caller.method !== 'session') reply.header('set-cookie', NO_SESSION);
        return sendPacked(body, request, reply);
      },
    );

    app.get(
      '/api/v4/user/list/',
      {
        access: { ...ADMINISTER, audit: false, fullScope: false },
        schema: operation('user_list_users', 'Search for accounts', { querystring: UserListQuery, reply: Anything }),
      },
      ({ query }) => listUsers(dependencies.collection, { quotas, classification }, query),
    );

    app.get(
      '/api/v4/user/:username/',
      {
        access: ANYONE,
        schema: operation('user_get_user_account', 'Get an account, the own or as administrator any', {
          params: ByName,
          querystring: Type.Object({ load_avatar: presence({ description: 'Present: with picture.' }) }),
          reply: Anything,
        }),
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
        schema: operation('user_add_user_account', 'Create an account', {
          ...OF_MANAGED_USER,
          body: AccountBody,
          refusals: [412, 469],
        }),
        refusal: FAILURE,
      },
      async (request) => {
        const { params, body } = request;
        await accountService.create(params.username, body, auditOrigin(request, 'analysis'));
        if (body.avatar) await avatars.set(params.username, body.avatar);
      },
    );

    app.post(
      '/api/v4/user/:username/',
      {
        access: CHANGE,
        schema: operation('user_set_user_account', 'Change an account, the own or as administrator any', {
          ...OF_USER,
          body: AccountBody,
          refusals: [409, 469],
        }),
        refusal: FAILURE,
      },
      async (request) => {
        const { actor, params, body } = request;
        const { username } = params;
        if ((await users.get(username)) === undefined) throw userMissing(username, FAILURE);
        await accountService.change(actor, username, body, auditOrigin(request, 'analysis'));
        if (body.avatar === null) await avatars.delete(username);
        else if (body.avatar !== undefined) await avatars.set(username, body.avatar);
      },
    );

    app.delete(
      '/api/v4/user/:username/',
      {
        access: ADMINISTER,
        schema: operation('user_remove_user_account', 'Delete an account with all that belongs to it', OF_MANAGED_USER),
        refusal: FAILURE,
      },
      (request) => dependencies.accounts.delete(request.params.username, auditOrigin(request, 'analysis')),
    );

    app.get(
      '/api/v4/user/quotas/:username/',
      {
        access: { ...ANYONE, audit: true },
        schema: operation(
          'user_get_remaining_quotas',
          'What is left of the daily quotas; 0 also stands for unlimited',
          { params: ByName, reply: Type.Object({ daily_api: Type.Integer(), daily_submission: Type.Integer() }) },
        ),
      },
      async ({ params: { username } }) => {
        const user = await users.recent(username);
        if (user === undefined) throw userMissing(username, {});
        return remainingQuotas(daily, user);
      },
    );

    app.get(
      '/api/v4/user/tos/:username/',
      {
        access: { ...ANYONE, roles: ['self_manage'], audit: true, beforeTerms: true },
        schema: operation('user_agree_with_tos', 'Agree to the terms of service', OF_USER),
      },
      async (request) => {
        const { username } = request.params;
        // Users agree for themselves only, administrators included.
        if (username !== request.actor.username) {
          throw new Forbidden('not_own_account', 'Your username does not match requested username', { response: {} });
        }
        await dependencies.accounts.change(username, auditOrigin(request, 'analysis'), undefined, (user) => ({
          ...user,
          agrees_with_tos: formatDate(new Date()),
          is_active: !locksOut,
        }));
      },
    );
  };

/** Returns the error of a missing account, with the data that the route answers. */
export function userMissing(username: string, response: object): NotFound {
  return new NotFound('user_missing', `User ${username} does not exists`, { response });
}
