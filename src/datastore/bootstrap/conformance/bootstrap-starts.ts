import type { CollectionDefinition, StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { fill, idOf, series, thingDefinition } from '../../conformance/things.ts';
import type { Datastore } from '../../port/datastore.ts';
import { lifecycleNames } from '../lifecycle-settings.ts';

/** The state in which a bootstrap finds a collection. */
export type State =
  | 'nothing'
  | 'legacy'
  | 'legacy without alias'
  | 'generations'
  | 'generations without alias'
  | 'bare';

/** A collection before its bootstrap. */
export interface Start {
  readonly alias: string;
  readonly definition: CollectionDefinition<StoredDocument>;
  readonly ids: readonly string[];
}

/** A new collection in this state, with so many documents; none in `nothing`. */
export async function startOf(store: Datastore, state: State, documents: number): Promise<Start> {
  const definition = thingDefinition();
  const alias = `${store.admin.prefix}-${definition.name}`;
  await prepare(store, alias, definition, state, documents);
  return { alias, definition, ids: state === 'nothing' ? [] : series(documents).map(idOf) };
}

async function prepare(
  store: Datastore,
  alias: string,
  definition: CollectionDefinition<StoredDocument>,
  state: State,
  documents: number,
): Promise<void> {
  const { admin } = store;
  if (state === 'nothing') return;
  const wide = definition as CollectionDefinition<unknown>;
  const { legacy, firstGeneration } = lifecycleNames(alias);
  const make = async (index: string, first: number, count: number) => {
    await admin.create(index, wide);
    // The collection of that very name: documents come in through its own index.
    await admin.switchAliases([{ kind: 'add', index, alias: `${alias}fill`, writeIndex: true }]);
    const filling = store.collection({ ...definition, name: `${definition.name}fill` });
    await fill(filling, series(first + count, (at) => ({ port: at })).slice(first));
    await admin.switchAliases([{ kind: 'remove', index, alias: `${alias}fill` }]);
  };
  if (state === 'bare') await make(alias, 0, documents);
  else if (state.startsWith('legacy')) await make(legacy, 0, documents);
  else {
    const half = Math.floor(documents / 2);
    await make(firstGeneration, 0, half);
    await make(firstGeneration.replace(/1$/, '2'), half, documents - half);
  }
  if (state === 'legacy') await admin.switchAliases([{ kind: 'add', index: legacy, alias }]);
  if (state === 'generations') {
    await admin.switchAliases([
      { kind: 'add', index: firstGeneration, alias, writeIndex: true },
      { kind: 'add', index: firstGeneration.replace(/1$/, '2'), alias },
    ]);
  }
}

/** Removes all indices of the collection. */
export async function cleanUp({ admin }: Datastore, { alias }: Start): Promise<void> {
  for (const { name } of await admin.list(`${alias}*`)) await admin.delete(name);
}
