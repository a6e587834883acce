import { LRUCache } from 'lru-cache';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import type { UserSettings } from '../../documents/kinds/user-records.ts';
import { NotFound } from '../../errors/errors.ts';
import type { Envelope } from '../../http/answers/envelope.ts';
import type { AvatarService } from '../../identity/accounts/avatar-service.ts';
import type { AnalysisActor } from '../../identity/actor-factory.ts';
import type { RecentUser, UserStore } from '../../identity/user-store.ts';
import { PackedJson } from '../../json/packed-json.ts';
import { PreparedJson } from '../../json/sorted-json.ts';
import type { HeuristicSignatures, KnownSignatures } from '../search/heuristic-signatures.ts';
import { heuristicFields, SEARCH_INDEXES, searchableIndexes } from '../search/search-indexes.ts';
import type { SystemValues } from '../system/system-values.ts';
import type { UserSettingsService } from './user-settings-service.ts';
import { clientConfiguration } from './whoami-configuration.ts';

export interface WhoamiDependencies {
  readonly users: Pick<UserStore, 'recent'>;
  readonly avatars: Pick<AvatarService, 'recentPicture'>;
  readonly userSettings: Pick<UserSettingsService, 'chosen' | 'settingsOf'>;
  readonly signatures: Pick<HeuristicSignatures, 'known' | 'namesFor'>;
  readonly values: Pick<SystemValues, 'reader'>;
  readonly settings: Config;
  readonly classification: ClassificationEngine;
  readonly envelope: Envelope;
  /** Version of the program. */
  readonly version: string;
}

/** The inputs of an answer, which is valid while all of them stay the same. */
type Ingredients = readonly [
  user: RecentUser,
  picture: string | undefined,
  chosen: Readonly<UserSettings> | undefined,
  signatures: KnownSignatures,
  systemMessage: unknown,
  aliases: unknown,
];

interface Made {
  readonly ingredients: Ingredients;
  readonly body: PackedJson;
}

/** Each answer takes up to 90 kB, and so does each list of indexes. */
const MAX_ANSWERS = 256;
const MAX_INDEXES = 64;

/** Describes caller and installation (contract/analysis.md section 2.7); caches, as clients ask often. */
export class Whoami {
  readonly #dependencies: WhoamiDependencies;
  /** An actor is a new object whenever something of it changes. */
  readonly #answers = new LRUCache<AnalysisActor, Made>({ max: MAX_ANSWERS });
  readonly #systemMessage: () => Promise<unknown>;
  readonly #aliases: () => Promise<unknown>;
  readonly #definition: PreparedJson;
  /** Configuration by the classification of those who may know it; few are in use. */
  readonly #configurations = new LRUCache<string, PreparedJson>({ max: MAX_INDEXES });
  /** Lists of indexes by roles and signatures; few combinations of roles are in use. */
  readonly #indexes = new LRUCache<string, PreparedJson>({ max: MAX_INDEXES });
  readonly #fields: Readonly<Record<string, PreparedJson>>;

  constructor(dependencies: WhoamiDependencies) {
    this.#dependencies = dependencies;
    const { classification, values } = dependencies;
    this.#systemMessage = values.reader('system_message', (message) => message);
    this.#aliases = values.reader('classification_aliases', (aliases) => aliases ?? {});
    this.#definition = new PreparedJson(classification.parsedDefinition());
    this.#fields = Object.fromEntries(
      Object.entries(SEARCH_INDEXES).map(([name, { fields }]) => [name, new PreparedJson(fields)]),
    );
  }

  /** Returns the answer with its envelope; throws `user_missing`. */
  async answer(actor: AnalysisActor): Promise<PackedJson> {
    const { users, avatars, userSettings, signatures: heuristics } = this.#dependencies;
    const { username } = actor;
    const user = await users.recent(username);
    if (user === undefined) throw new NotFound('user_missing', `User ${username} does not exists`, { response: {} });
    const picture = await avatars.recentPicture(username);
    const chosen = await userSettings.chosen(username);
    const told = [await this.#systemMessage(), await this.#aliases()] as const;
    const ingredients = [user, picture, chosen, await heuristics.known(), ...told] as const;
    const known = this.#answers.get(actor);
    if (known?.ingredients.every((one, index) => one === ingredients[index])) return known.body;
    const body = new PackedJson(this.#dependencies.envelope.success(this.#profile(actor, ingredients), 200, []));
    this.#answers.set(actor, { ingredients, body });
    return body;
  }

  #profile(actor: AnalysisActor, [user, picture, chosen, signatures, systemMessage, aliases]: Ingredients) {
    const { default_quotas: quotas } = this.#dependencies.settings.analysis.ui;
    const organization = user.organization || undefined;
    const settings = this.#dependencies.userSettings.settingsOf(actor, chosen);
    return {
      agrees_with_tos: user.agrees_with_tos ?? null,
      api_daily_quota: user.api_daily_quota ?? quotas.daily_api_calls,
      avatar: picture ?? null,
      c12nDef: this.#definition,
      classification: actor.classification,
      classification_aliases: aliases,
      configuration: this.#configurationFor(actor.classification),
      email: user.email ?? null,
      // Clients look for the organisation among the groups.
      groups: organization === undefined ? actor.groups : [...actor.groups, organization],
      ...(organization === undefined ? { organization: null } : {}),
      indexes: this.#indexesOf(actor, signatures),
      is_active: user.is_active,
      is_admin: actor.isAdmin,
      name: user.name,
      roles: [...actor.roles],
      settings,
      ...(systemMessage === undefined ? {} : { system_message: systemMessage }),
      submission_daily_quota: user.submission_daily_quota ?? quotas.daily_submissions,
      type: actor.types,
      username: actor.username,
    };
  }

  #configurationFor(clearance: string): PreparedJson {
    const known = this.#configurations.get(clearance);
    if (known !== undefined) return known;
    const made = new PreparedJson(clientConfiguration(this.#dependencies, clearance));
    this.#configurations.set(clearance, made);
    return made;
  }

  #indexesOf(actor: AnalysisActor, signatures: KnownSignatures): PreparedJson {
    const names = searchableIndexes(actor.roles);
    const scored = this.#dependencies.signatures.namesFor(signatures, actor.classification);
    const key = JSON.stringify([names, scored]);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const fields: Readonly<Record<string, unknown>> = { ...this.#fields, heuristic: heuristicFields(scored) };
    const indexes = new PreparedJson(Object.fromEntries(names.map((name) => [name, fields[name]])));
    this.#indexes.set(key, indexes);
    return indexes;
  }
}
