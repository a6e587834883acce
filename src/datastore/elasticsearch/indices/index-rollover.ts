import { Conflict, NotFound } from '../../../errors/errors.ts';
import type { RolloverConditions } from '../../port/index-admin.ts';
import { bytesOf } from '../../port/rollover.ts';
import type { SearchEngine } from '../transport/search-engine.ts';
import { indicesBehind } from './index-list.ts';

interface Shards {
  readonly indices?: Readonly<Record<string, { readonly shards?: Readonly<Record<string, readonly Shard[]>> }>>;
}
interface Shard {
  readonly routing?: { readonly primary?: boolean };
  readonly store?: { readonly size_in_bytes?: number };
}

/**
 * Rolls the alias over when a condition holds, and returns the new index.
 * The server decides on its present write index: of two concurrent callers the second finds it young and empty.
 */
export async function rollOver(
  engine: SearchEngine,
  alias: string,
  conditions: RolloverConditions,
): Promise<string | undefined> {
  const behind = await indicesBehind(engine, alias);
  if (behind.length === 0) throw new NotFound('alias_missing', `There is no alias ${alias} to roll over.`);
  const present = behind.find(({ writeIndex }) => writeIndex) ?? (behind.length === 1 ? behind[0] : undefined);
  if (present === undefined)
    throw new Conflict('no_write_index', `The alias ${alias} has no write index to roll over.`);
  const path = `/${encodeURIComponent(alias)}/_rollover`;
  if (conditions.force === true) return rolled(await engine.request<Rolled>({ method: 'POST', path }));
  // An index without documents is never rolled over.
  await engine.request({ method: 'POST', path: `/${encodeURIComponent(present.name)}/_refresh`, repeatable: true });
  const { body } = await engine.request<{ count: number }>({ path: `/${encodeURIComponent(present.name)}/_count` });
  if (body.count === 0) return undefined;
  const asked = await serverConditions(engine, present.name, conditions);
  if (Object.keys(asked).length === 0) return undefined;
  return rolled(await engine.request<Rolled>({ method: 'POST', path, body: { conditions: asked } }));
}

interface Rolled {
  readonly rolled_over?: boolean;
  readonly new_index?: string;
}

function rolled({ body }: { readonly body: Rolled }): string | undefined {
  return body.rolled_over === true ? body.new_index : undefined;
}

async function serverConditions(
  engine: SearchEngine,
  index: string,
  { maxAge, maxPrimaryShardSize }: RolloverConditions,
): Promise<Readonly<Record<string, string>>> {
  const age = maxAge === undefined ? {} : { max_age: maxAge };
  if (maxPrimaryShardSize === undefined) return age;
  if (engine.vendor === 'elasticsearch') return { ...age, max_primary_shard_size: maxPrimaryShardSize };
  // OpenSearch knows the size of the whole index only, which is no less than that of one of its shards.
  const largest = await largestPrimary(engine, index);
  return largest >= bytesOf(maxPrimaryShardSize) ? { ...age, max_size: maxPrimaryShardSize } : age;
}

async function largestPrimary(engine: SearchEngine, index: string): Promise<number> {
  const { body } = await engine.request<Shards>({
    path: `/${encodeURIComponent(index)}/_stats/store`,
    query: { level: 'shards' },
  });
  const shards = Object.values(body.indices?.[index]?.shards ?? {}).flat();
  const sizes = shards.filter(({ routing }) => routing?.primary === true).map(({ store }) => store?.size_in_bytes ?? 0);
  return Math.max(0, ...sizes);
}
