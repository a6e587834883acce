import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { MAX_QUERY_LENGTH } from '../../datastore/query-language/query-parser.ts';
import { queryTooComplex } from '../../datastore/regular-language/query-limits.ts';
import {
  FAVORITE_TYPES,
  type FavoriteType,
  type UserFavorites,
  userFavoritesDocument,
} from '../../documents/kinds/user-records.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { InvalidInput, isConflict, NotFound } from '../../errors/errors.ts';

type Favorite = UserFavorites[FavoriteType][number];

/** User whose favourites all users see. */
const EVERYBODY = '__global__';
const ACCESS = unrestricted('favourites are read for their user, and filtered by their classification');

/** Stores the queries that users keep, by page (contract/analysis.md section 2.4). */
export class FavoriteService {
  readonly #favorites: Collection<UserFavorites>;
  readonly #classification: ClassificationEngine;

  constructor(favorites: Collection<UserFavorites>, classification: ClassificationEngine) {
    this.#favorites = favorites;
    this.#classification = classification;
  }

  /** Returns own and shared favourites that `clearance` allows, by name; own ones precede shared ones. */
  async list(username: string, clearance: string): Promise<Readonly<Record<FavoriteType, readonly Favorite[]>>> {
    const own = await this.#favorites.get(username, ACCESS);
    const shared = username === EVERYBODY ? undefined : await this.#favorites.get(EVERYBODY, ACCESS);
    const visible = ({ classification }: Favorite) =>
      this.#classification.isAccessible(clearance, classification, true);
    const merged = (type: FavoriteType): readonly Favorite[] => {
      const byName = new Map([...(shared?.[type] ?? []), ...(own?.[type] ?? [])].map((one) => [one.name, one]));
      return [...byName.values()].filter(visible).sort(byNameWithoutCase);
    };
    const entries = FAVORITE_TYPES.map((type) => [type, merged(type)]);
    return Object.fromEntries(entries) as Record<FavoriteType, readonly Favorite[]>;
  }

  /** Sets a favourite; throws `unknown_favourite_type`, `query_too_complex`, `invalid_classification`. */
  async add(username: string, type: string, input: Favorite, createdBy: string): Promise<void> {
    const page = readType(type);
    assertQueryLength(input);
    const favorite = { ...input, created_by: createdBy };
    await this.#change(username, (stored) => ({
      ...stored,
      [page]: [...stored[page].filter(({ name }) => name !== favorite.name), favorite],
    }));
  }

  /** Replaces all favourites. @throws as `add` */
  async replace(username: string, input: Readonly<Record<string, readonly Favorite[]>>): Promise<void> {
    for (const [type, favorites] of Object.entries(input)) {
      readType(type);
      favorites.forEach(assertQueryLength);
    }
    await this.#change(username, () => input);
  }

  /** @throws InvalidInput `unknown_favourite_type`; NotFound `favourite_missing` */
  async remove(username: string, type: string, name: string): Promise<void> {
    const page = readType(type);
    await this.#change(username, (stored) => {
      const left = stored[page].filter((favorite) => favorite.name !== name);
      if (left.length === stored[page].length) {
        throw new NotFound('favourite_missing', `Favorite '${name}' does not exists for ${page} page`);
      }
      return { ...stored, [page]: left };
    });
  }

  async delete(username: string): Promise<void> {
    await this.#favorites.delete(username, { visible: 'now' });
  }

  async #change(username: string, change: (stored: UserFavorites) => object): Promise<void> {
    const [favorites, classification] = [this.#favorites, this.#classification];
    const read = (input: object) =>
      readDocument(userFavoritesDocument, input, { unknown: 'drop', classification }).document;
    await retryOnConflict(async () => {
      const stored = await favorites.getVersioned(username, ACCESS);
      const changed = read(change(stored?.document ?? read({})));
      await favorites.save(username, changed, { ifVersion: stored?.version ?? ABSENT, visible: 'now' });
    }, isConflict);
  }
}

function readType(type: string): FavoriteType {
  const known = FAVORITE_TYPES.find((one) => one === type);
  if (known === undefined) {
    throw new InvalidInput('unknown_favourite_type', `Invalid favorite type (${type})`, { response: '' });
  }
  return known;
}

function assertQueryLength({ query }: Favorite): void {
  if (query.length <= MAX_QUERY_LENGTH) return;
  const reason = `it is ${query.length} characters long, and at most ${MAX_QUERY_LENGTH} are allowed`;
  throw queryTooComplex(reason, MAX_QUERY_LENGTH);
}

function byNameWithoutCase(left: Favorite, right: Favorite): number {
  const [one, other] = [left.name.toLowerCase(), right.name.toLowerCase()];
  return one < other ? -1 : Number(one > other);
}
