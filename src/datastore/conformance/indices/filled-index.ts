import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectionDefinition, StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { Collection } from '../../port/collection.ts';
import type { IndexAdmin, IndexInfo, TaskStatus } from '../../port/index-admin.ts';
import { fill, series } from '../things.ts';

/** A collection with documents, and the index that they lie in. */
export interface FilledIndex {
  readonly things: Collection<StoredDocument>;
  readonly index: IndexInfo;
  readonly alias: string;
  readonly definition: CollectionDefinition<unknown>;
}

/** Things whose ports are 0, 1, 2 …; `things` is empty. */
export async function fillIndex(
  things: Collection<StoredDocument>,
  admin: IndexAdmin,
  count: number,
): Promise<FilledIndex> {
  await fill(
    things,
    series(count, (index) => ({ port: index })),
  );
  const alias = `${admin.prefix}-${things.definition.name}`;
  return {
    things,
    index: await indexBehind(admin, alias),
    alias,
    definition: things.definition as CollectionDefinition<unknown>,
  };
}

export async function indexBehind(admin: IndexAdmin, alias: string): Promise<IndexInfo> {
  const indices = (await admin.list(`${admin.prefix}-*`)).filter(({ aliases }) =>
    aliases.some(({ name }) => name === alias),
  );
  assert.equal(indices.length, 1, `one index behind ${alias}`);
  const [index] = indices;
  if (index === undefined) throw new Error(`There is no index behind ${alias}.`);
  return index;
}

export async function scanned(admin: IndexAdmin, index: string) {
  return (await Array.fromAsync(admin.scan(index, {}))).flat();
}

export async function finished(admin: IndexAdmin, task: string): Promise<TaskStatus> {
  for (let round = 0; round < 400; round += 1) {
    const status = await admin.task(task);
    if (status.done) return status;
    await sleep(25);
  }
  throw new Error(`The task ${task} does not end.`);
}
