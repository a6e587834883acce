import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { ABSENT, type Version } from '../../datastore/port/versions.ts';
import { type UserPreferences, userPreferencesDocument } from '../../documents/kinds/user-records.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { Conflict, isConflict, TooLarge } from '../../errors/errors.ts';

/** The preferences of a user of the web interface, with the version for the next change. */
export interface VersionedPreferences {
  readonly preferences: Readonly<Record<string, unknown>>;
  /** `create` before the first change. */
  readonly version: Version;
}

/** Bytes of the preferences of a user as JSON. */
const MAX_SIZE = 64 * 1024;
const ACCESS = unrestricted('preferences are read for their user');

/** Stores what users chose in the web interface. The pages alone know what it means. */
export class PreferencesService {
  readonly #stored: Collection<UserPreferences>;

  constructor(parts: { readonly stored: Collection<UserPreferences> }) {
    this.#stored = parts.stored;
  }

  /** Returns the preferences of a user; none before the first change. */
  async get(username: string): Promise<VersionedPreferences> {
    const found = await this.#stored.getVersioned(username, ACCESS);
    return { preferences: read(found?.document.preferences), version: found?.version ?? ABSENT };
  }

  /**
   * Replaces the preferences of a user. @param ifVersion of the state that is replaced; undefined: any
   * @throws Conflict `preferences_changed`; TooLarge `preferences_too_large`
   */
  async set(
    username: string,
    preferences: Readonly<Record<string, unknown>>,
    ifVersion: Version | undefined,
  ): Promise<VersionedPreferences> {
    const text = JSON.stringify(preferences);
    const size = Buffer.byteLength(text);
    if (size > MAX_SIZE) {
      throw new TooLarge(
        'preferences_too_large',
        `The preferences have ${size} bytes; at most ${MAX_SIZE} are kept. Remove saved columns or drafts from them.`,
      );
    }
    const { document } = readDocument(userPreferencesDocument, { preferences: text }, { unknown: 'refuse' });
    const condition = ifVersion === undefined ? {} : { ifVersion };
    try {
      const version = await this.#stored.save(username, document, { visible: 'now', ...condition });
      return { preferences, version };
    } catch (error) {
      if (!isConflict(error)) throw error;
      throw new Conflict(
        'preferences_changed',
        'Your preferences were changed in another window since the version in If-Match. Read them again.',
        { cause: error },
      );
    }
  }

  async delete(username: string): Promise<void> {
    await this.#stored.delete(username, { visible: 'now' });
  }
}

function read(text: string | undefined | null): Readonly<Record<string, unknown>> {
  return text ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : {};
}
