import { Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Service } from '../../documents/kinds/analysis/service.ts';
import { Forbidden, InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { Actor } from '../../identity/actor.ts';
import type { RecentUser, UserStore } from '../../identity/user-store.ts';
import { documentOf, refusing } from '../../input/input-kinds.ts';
import { ANYONE, Anything, ByName, OF_USER, OWNERS, operation } from '../operations/analysis-operation.ts';
import { serviceChoices } from './service-choices.ts';
import { userMissing } from './user-routes.ts';
import type { SettingsOwner, UserSettingsService } from './user-settings-service.ts';

export interface UserSettingsRouteDependencies {
  readonly users: Pick<UserStore, 'recent'>;
  readonly userSettings: UserSettingsService;
  readonly services: { enabled(): Promise<readonly Service[]> };
  readonly classification: ClassificationEngine;
}

const SettingsBody = documentOf(
  {
    default_zip_password: refusing(
      Type.String({ minLength: 1, description: 'Password of archives.', examples: ['zippy'] }),
      () => new Forbidden('zip_password_missing', "Encryption password can't be empty."),
    ),
    submission_profiles: Type.Record(Type.String(), Anything, {
      description: 'Values by profile and name.',
      default: {},
    }),
  },
  { description: 'Settings; those that are left out stay.' },
);

/** Serves the settings of users and the values of profiles (contract/analysis.md section 2.5). */
export const userSettingsRoutes =
  ({ users, userSettings, services, classification }: UserSettingsRouteDependencies): RouteModule =>
  (app) => {
    const userOf = async (username: string): Promise<RecentUser> => {
      const user = await users.recent(username);
      if (user === undefined) throw userMissing(username, {});
      return user;
    };

    app.get(
      '/api/v4/user/settings/:username/',
      {
        access: ANYONE,
        schema: operation('user_get_user_settings', 'Settings of a user', { params: ByName, reply: Anything }),
      },
      async ({ actor, params: { username } }) => {
        const user = await userOf(username);
        const settings = userSettings.settingsOf(ownerOf(actor, user), await userSettings.chosen(username));
        return { ...settings, ...serviceChoices(await services.enabled(), classification, user.classification) };
      },
    );

    app.post(
      '/api/v4/user/settings/:username/',
      {
        access: { ...OWNERS, audit: true },
        schema: operation('user_set_user_settings', 'Save settings of a user', { ...OF_USER, body: SettingsBody }),
        refusal: { success: false },
      },
      async ({ actor, params: { username }, body }) => {
        const user = await userOf(username);
        await userSettings.change(username, ownerOf(actor, user), body);
      },
    );

    app.get(
      '/api/v4/user/submission_params/:username/:profile/',
      {
        access: ANYONE,
        schema: operation('user_get_user_submission_params', 'What to send with a submission that uses a profile', {
          params: pathParameters({
            username: ['Name of the user.', 'admin'],
            profile: ['Name of the submission profile.', 'default'],
          }),
          reply: Anything,
        }),
      },
      async ({ actor, params: { username, profile } }) => {
        const user = await userOf(username);
        const owner = ownerOf(actor, user);
        const { submission_profiles: profiles } = userSettings.settingsOf(owner, await userSettings.chosen(username));
        const values = usableProfile(username, profile, profiles, await services.enabled());
        const groups = user.groups.map((group) => group.toUpperCase());
        return { ...values, groups, submitter: username };
      },
    );
  };

/** Returns the owner of settings. Of others only assigned roles count, as in the public system. */
function ownerOf(actor: Actor, user: RecentUser): SettingsOwner {
  const { roles = [], classification } = user;
  return actor.username === user.uname ? actor : { roles: new Set(roles), classification };
}

/** @throws InvalidInput `submission_profile_missing`; `service_missing` for services that do not run */
function usableProfile(
  username: string,
  name: string,
  profiles: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  services: readonly Service[],
): Readonly<Record<string, unknown>> {
  const values = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (values === undefined) {
    const list = Object.keys(profiles).map((one) => `'${one}'`);
    throw new InvalidInput(
      'submission_profile_missing',
      `Submission profile '${name}' does not exist for user: ${username}. Select one of [${list.join(', ')}].`,
      { response: '' },
    );
  }
  const named = Object.keys((values.service_spec as object | undefined) ?? {});
  const service = named.find((name) => !services.some((one) => one.name === name));
  if (service === undefined) return values;
  throw new InvalidInput(
    'service_missing',
    `The submission profile ${name} sets parameters of the service ${service}, which is not installed.`,
    { response: '' },
  );
}
