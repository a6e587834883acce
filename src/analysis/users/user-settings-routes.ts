import { Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import { Forbidden, InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import type { Actor } from '../../identity/actor.ts';
import type { RecentUser, UserStore } from '../../identity/user-store.ts';
import { documentOf, refusing } from '../../input/input-kinds.ts';
import { shownClassification } from './account-view.ts';
import { SUBMISSION_PROFILES } from './submission-profiles.ts';
import { userMissing } from './user-routes.ts';
import type { SettingsOwner } from './user-settings.ts';
import type { UserSettingsService } from './user-settings-service.ts';

export interface UserSettingsRouteDependencies {
  readonly users: Pick<UserStore, 'recent'>;
  readonly userSettings: UserSettingsService;
  readonly classification: ClassificationEngine;
}

const READ: GuardedAccess = { privileges: 'by_roles', quota: 'concurrent', roles: 'any' };

const tags = ['user'];
const Anything = Type.Record(Type.String(), Type.Unknown());
const SettingsBody = documentOf(
  {
    default_zip_password: refusing(
      Type.String({ minLength: 1, description: 'Password of archives.' }),
      () => new Forbidden('zip_password_missing', "Encryption password can't be empty."),
    ),
    submission_profiles: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
      description: 'Values by profile and name.',
      default: {},
    }),
  },
  { description: 'Settings; those that are left out stay.' },
);
const ByName = pathParameters('username');
const ByNameAndProfile = pathParameters('username', 'profile');

/** `/api/v4/user/settings/` and `/api/v4/user/submission_params/` (contract/analysis.md section 2.5). */
export const userSettingsRoutes =
  ({ users, userSettings, classification }: UserSettingsRouteDependencies): RouteModule =>
  (app) => {
    const userOf = async (username: string): Promise<RecentUser> => {
      const user = await users.recent(username);
      if (user === undefined) throw userMissing(username, {});
      return user;
    };

    app.get(
      '/api/v4/user/settings/:username/',
      {
        access: READ,
        schema: {
          tags,
          operationId: 'user_get_user_settings',
          summary: 'Settings of a user',
          params: ByName,
          response: { 200: Anything },
        },
      },
      async ({ actor, params: { username } }) => {
        const user = await userOf(username);
        return userSettings.settingsOf(ownerOf(actor, user, classification), await userSettings.chosen(username));
      },
    );

    app.post(
      '/api/v4/user/settings/:username/',
      {
        access: { ...READ, roles: ['self_manage', 'administration'], audit: true },
        schema: {
          tags,
          operationId: 'user_set_user_settings',
          summary: 'Save settings of a user',
          params: ByName,
          body: SettingsBody,
          response: { 200: Type.Object({ success: Type.Boolean() }) },
        },
        refusal: { success: false },
      },
      async ({ actor, params: { username }, body }) => {
        const user = await userOf(username);
        await userSettings.change(username, ownerOf(actor, user, classification), body);
        return { success: true };
      },
    );

    app.get(
      '/api/v4/user/submission_params/:username/:profile/',
      {
        access: READ,
        schema: {
          tags,
          operationId: 'user_get_user_submission_params',
          summary: 'What to send with a submission that uses a profile',
          params: ByNameAndProfile,
          response: { 200: Anything },
        },
      },
      async ({ actor, params: { username, profile } }) => {
        const user = await userOf(username);
        const owner = ownerOf(actor, user, classification);
        const { submission_profiles: profiles } = userSettings.settingsOf(owner, await userSettings.chosen(username));
        if (!Object.hasOwn(profiles, profile)) throw profileMissing(username, profile, Object.keys(profiles));
        rejectMissingServices(profile);
        const groups = user.groups.map((group) => group.toUpperCase());
        return { ...profiles[profile], groups, submitter: username };
      },
    );
  };

/** As the public system has it, of other users only those roles count that they were given one by one. */
function ownerOf(actor: Actor, user: RecentUser, engine: ClassificationEngine): SettingsOwner {
  if (actor.username === user.uname) return actor;
  return { roles: new Set(user.roles ?? []), classification: shownClassification(engine, user) };
}

function profileMissing(username: string, profile: string, names: readonly string[]): InvalidInput {
  const list = names.map((name) => `'${name}'`).join(', ');
  return new InvalidInput(
    'submission_profile_missing',
    `Submission profile '${profile}' does not exist for user: ${username}. Select one of [${list}].`,
    { response: '' },
  );
}

/** @throws InvalidInput `service_missing`, when the profile sets parameters of a service that is not installed: none is */
function rejectMissingServices(profile: string): void {
  const [service] = Object.keys(SUBMISSION_PROFILES[profile]?.params.service_spec ?? {});
  if (service === undefined) return;
  throw new InvalidInput(
    'service_missing',
    `The submission profile ${profile} sets parameters of the service ${service}, which is not installed.`,
    { response: '' },
  );
}
