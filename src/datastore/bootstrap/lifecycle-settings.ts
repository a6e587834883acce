import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { LifecyclePolicy } from '../port/index-admin.ts';

/** The settings under `datastore.ilm`; ages as `30d`, sizes as `50gb`. */
export interface LifecycleSettings {
  readonly enabled: boolean;
  readonly rollover_max_age: string;
  readonly rollover_max_size: string;
  /** By name of the collection. */
  readonly indices: Readonly<Record<string, CollectionLifecycleSettings>>;
}

export interface CollectionLifecycleSettings {
  readonly enabled: boolean;
  /** Null: no such phase. */
  readonly warm: string | null;
  readonly warm_forcemerge_segments: number;
  readonly cold: string | null;
}

/** Undefined: all documents stay in one index. Without own settings, `growsWithoutLimit` decides. */
export function lifecycleOf(
  { name, growsWithoutLimit = false }: Pick<CollectionDefinition<unknown>, 'name' | 'growsWithoutLimit'>,
  settings: LifecycleSettings,
): LifecyclePolicy | undefined {
  const own = Object.hasOwn(settings.indices, name) ? settings.indices[name] : undefined;
  const takesPart = own?.enabled ?? growsWithoutLimit;
  if (!settings.enabled || !takesPart) return undefined;
  return {
    rollover: { maxAge: settings.rollover_max_age, maxPrimaryShardSize: settings.rollover_max_size },
    ...(own?.warm ? { warm: { minAge: own.warm, forceMergeSegments: own.warm_forcemerge_segments } } : {}),
    ...(own?.cold ? { cold: { minAge: own.cold } } : {}),
  };
}

/** @throws InvalidInput `unknown_collection`, when the settings name a collection that there is not */
export function rejectUnknownCollections(
  settings: LifecycleSettings,
  definitions: readonly CollectionDefinition<unknown>[],
): void {
  const names = definitions.map(({ name }) => name);
  for (const name of Object.keys(settings.indices)) {
    if (names.includes(name)) continue;
    const message = `datastore.ilm.indices.${name}: there is no collection ${name}. There are ${names.toSorted().join(', ')}.`;
    throw new InvalidInput('unknown_collection', message, { at: `datastore.ilm.indices.${name}` });
  }
}

/** Names of everything that belongs to a collection, from its alias `<prefix>-<collection>`. */
export function lifecycleNames(alias: string) {
  return {
    policy: `${alias}_policy`,
    template: `${alias}_template`,
    pattern: `${alias}-*`,
    firstGeneration: `${alias}-000001`,
    legacy: `${alias}_hot`,
    lock: `${alias}_bootstrap`,
    /** Marks of generations whose phase our own job has done. */
    warm: `${alias}_warm`,
    cold: `${alias}_cold`,
  };
}
