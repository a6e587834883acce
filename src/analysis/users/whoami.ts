import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import type { UserSettings } from '../../documents/user-settings.ts';
import { NotFound } from '../../errors/errors.ts';
import type { Envelope } from '../../http/envelope.ts';
import { PreparedJson } from '../../http/sorted-json.ts';
import type { AnalysisActor } from '../../identity/analysis/analysis-caller.ts';
import type { AvatarService } from '../../identity/avatar-service.ts';
import type { RecentUser, UserStore } from '../../identity/user-store.ts';
import { SEARCH_INDEXES, searchableIndexes } from '../search-fields/index-fields.ts';
import type { UserSettingsService } from './user-settings-service.ts';
import { clientConfiguration } from './whoami-configuration.ts';

export interface WhoamiParts {
  readonly users: Pick<UserStore, 'recent'>;
  readonly avatars: Pick<AvatarService, 'recentPicture'>;
  readonly userSettings: Pick<UserSettingsService, 'chosen' | 'settingsOf'>;
  readonly settings: Config;
  readonly classification: ClassificationEngine;
  readonly envelope: Envelope;
  /** Version of the program. */
  readonly version: string;
}

/** An answer with what it was made of: good while all of it is the same. */
interface Made {
  readonly user: RecentUser;
  readonly picture: string | undefined;
  readonly chosen: Readonly<UserSettings> | undefined;
  readonly body: Buffer;
  /** The same, packed; made when somebody takes it so. */
  zipped: Promise<Buffer> | undefined;
}

const zip = promisify(gzip);

/** An answer takes up to 90 kB. */
const MAX_ANSWERS = 256;

/**
 * What callers are told about themselves and the installation (contract/analysis.md section 2.7). Clients ask for it all the time, and
 * most of it does not depend on who asks: that is written once, and whole answers are kept beside the actors that they are for.
 */
export class Whoami {
  readonly #parts: WhoamiParts;
  readonly #answers = new Map<AnalysisActor, Made>();
  readonly #definition: PreparedJson;
  readonly #indexes = new Map<string, PreparedJson>();
  readonly #fields: Readonly<Record<string, PreparedJson>>;

  constructor(parts: WhoamiParts) {
    this.#parts = parts;
    this.#definition = new PreparedJson(parts.classification.parsedDefinition());
    this.#fields = Object.fromEntries(
      Object.entries(SEARCH_INDEXES).map(([name, { fields }]) => [name, new PreparedJson(fields)]),
    );
  }

  /**
   * The whole answer, envelope included, as it goes out.
   * @param packed by gzip, which makes it ten times smaller; packed once for many callers
   * @throws NotFound `user_missing`, when the account was deleted a moment ago
   */
  async answer(actor: AnalysisActor, packed = false): Promise<Buffer> {
    const made = await this.#made(actor);
    if (!packed) return made.body;
    made.zipped ??= zip(made.body);
    return made.zipped;
  }

  async #made(actor: AnalysisActor): Promise<Made> {
    const { users, avatars, userSettings } = this.#parts;
    const { username } = actor;
    const user = await users.recent(username);
    if (user === undefined) throw new NotFound('user_missing', `User ${username} does not exists`, { response: {} });
    const picture = await avatars.recentPicture(username);
    const chosen = await userSettings.chosen(username);
    const known = this.#answers.get(actor);
    if (known !== undefined && known.user === user && known.picture === picture && known.chosen === chosen) {
      return known;
    }
    const text = this.#parts.envelope.success(this.#profile(actor, user, picture, chosen), 200, []);
    const body = Buffer.from(text);
    const made = { user, picture, chosen, body, zipped: undefined };
    this.#keep(actor, made);
    return made;
  }

  #profile(
    actor: AnalysisActor,
    user: RecentUser,
    picture: string | undefined,
    chosen: Readonly<UserSettings> | undefined,
  ): Readonly<Record<string, unknown>> {
    const { default_quotas: quotas } = this.#parts.settings.analysis.ui;
    const organization = user.organization || undefined;
    const settings = this.#parts.userSettings.settingsOf(actor, chosen);
    return {
      agrees_with_tos: user.agrees_with_tos ?? null,
      api_daily_quota: user.api_daily_quota ?? quotas.daily_api_calls,
      avatar: picture ?? null,
      c12nDef: this.#definition,
      classification: actor.classification,
      classification_aliases: {},
      configuration: clientConfiguration(this.#parts, actor.classification),
      email: user.email ?? null,
      // Whoever belongs to an organisation finds it among the groups, where clients look for it.
      groups: organization === undefined ? actor.groups : [...actor.groups, organization],
      ...(organization === undefined ? { organization: null } : {}),
      indexes: this.#indexesOf(actor.roles),
      is_active: user.is_active,
      is_admin: actor.isAdmin,
      name: user.name,
      roles: [...actor.roles],
      settings,
      submission_daily_quota: user.submission_daily_quota ?? quotas.daily_submissions,
      type: actor.types,
      username: actor.username,
    };
  }

  #indexesOf(roles: ReadonlySet<string>): PreparedJson {
    const names = searchableIndexes(roles);
    const key = names.join();
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const indexes = new PreparedJson(Object.fromEntries(names.map((name) => [name, this.#fields[name]])));
    this.#indexes.set(key, indexes);
    return indexes;
  }

  /** The oldest make place: actors come anew whenever something of them changes. */
  #keep(actor: AnalysisActor, made: Made): void {
    this.#answers.delete(actor);
    if (this.#answers.size >= MAX_ANSWERS) {
      const oldest = this.#answers.keys().next();
      if (!oldest.done) this.#answers.delete(oldest.value);
    }
    this.#answers.set(actor, made);
  }
}
