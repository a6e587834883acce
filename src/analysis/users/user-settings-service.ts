import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { RecentDocuments } from '../../datastore/port/recent-documents.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import type { UserSettings } from '../../documents/kinds/user-settings.ts';
import { isConflict } from '../../errors/errors.ts';
import { changedSettings, type SettingsInput } from './settings-change.ts';
import {
  type EffectiveSettings,
  effectiveSettings,
  type SettingsDependencies,
  type SettingsOwner,
} from './user-settings.ts';

export interface UserSettingsServiceDependencies extends SettingsDependencies {
  readonly stored: Collection<UserSettings>;
}

const ACCESS = unrestricted('settings are read for the user whose they are, and for administrators');

/** What users chose on the analysis service. */
export class UserSettingsService {
  readonly #dependencies: UserSettingsServiceDependencies;
  readonly #recent: RecentDocuments<UserSettings>;

  constructor(dependencies: UserSettingsServiceDependencies) {
    this.#dependencies = dependencies;
    this.#recent = new RecentDocuments({ collection: dependencies.stored, access: ACCESS });
  }

  /** What a user chose, as of at most a second ago; the same object while nothing changed; undefined: nothing. */
  chosen(username: string): Promise<Readonly<UserSettings> | undefined> {
    return this.#recent.get(username);
  }

  /** All settings: chosen or not. */
  settingsOf(owner: SettingsOwner, chosen: Readonly<UserSettings> | undefined): EffectiveSettings {
    return effectiveSettings(this.#dependencies, owner, chosen);
  }

  /**
   * Saves what a user sent.
   * @throws as `changedSettings`
   */
  async change(username: string, owner: SettingsOwner, input: SettingsInput): Promise<void> {
    const { stored, classification } = this.#dependencies;
    const usual = this.settingsOf(owner, undefined);
    await this.#recent.writing(username, () =>
      retryOnConflict(async () => {
        const found = await stored.getVersioned(username, ACCESS);
        const settings = changedSettings(classification, found?.document, usual, input);
        await stored.save(username, settings, { ifVersion: found?.version ?? ABSENT, visible: 'now' });
      }, isConflict),
    );
  }

  async delete(username: string): Promise<void> {
    await this.#recent.writing(username, () => this.#dependencies.stored.delete(username, { visible: 'now' }));
  }
}
