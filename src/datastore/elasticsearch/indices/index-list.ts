import type { IndexInfo } from '../../port/index-admin.ts';
import { globExpression } from '../../semantics/glob.ts';
import type { SearchEngine } from '../transport/search-engine.ts';
import type { IndexLifecycle } from './index-lifecycle.ts';

type ByIndex<T> = Readonly<Record<string, T>>;
interface Aliases {
  readonly aliases?: ByIndex<{ readonly is_write_index?: boolean }>;
}
interface Stats {
  readonly indices?: ByIndex<{
    readonly primaries?: { readonly docs?: { readonly count?: number } };
    readonly total?: { readonly store?: { readonly size_in_bytes?: number } };
  }>;
}

/** An index that was deleted between two of the questions is left out, a name without an index as well. */
const LENIENT = { ignore_unavailable: true, allow_no_indices: true, expand_wildcards: 'open' };

/** Lists physical indices that fit a pattern (`*`, `?`) by name, with every document written so far. */
export async function listIndices(
  engine: SearchEngine,
  lifecycle: IndexLifecycle,
  pattern: string,
): Promise<IndexInfo[]> {
  const expression = indexExpression(pattern);
  const fits = globExpression(pattern);
  // Counts tell only of documents that searches see.
  await engine.request({ method: 'POST', path: `/${expression}/_refresh`, query: LENIENT, repeatable: true });
  const [settings, aliases, stats, policies] = await Promise.all([
    engine.request<ByIndex<{ settings?: Record<string, unknown> }>>({
      path: `/${expression}/_settings`,
      query: { ...LENIENT, flat_settings: true },
    }),
    // An expression without an index is not an error to the other questions.
    engine.request<ByIndex<Aliases>>({ path: `/${expression}/_alias`, query: LENIENT, accept: [404] }),
    engine.request<Stats>({ path: `/${expression}/_stats/docs,store`, query: LENIENT }),
    lifecycle.policiesOf(expression),
  ]);
  return Object.entries(settings.body)
    .filter(([name]) => fits.test(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { settings: own = {} }]) => {
      const { policy, rolloverAlias } = lifecycle.read(own);
      const { primaries, total } = stats.body.indices?.[name] ?? {};
      return {
        name,
        aliases: aliasesOf(aliases.status === 404 ? undefined : aliases.body[name]),
        documents: primaries?.docs?.count ?? 0,
        bytes: total?.store?.size_in_bytes ?? 0,
        writeBlocked: WRITE_BLOCKS.some((block) => String(own[block]) === 'true'),
        lifecyclePolicy: policies.get(name) ?? policy,
        rolloverAlias,
        createdAt: new Date(Number(own['index.creation_date'])),
      };
    });
}

/** @see https://www.elastic.co/docs/reference/elasticsearch/index-settings/index-block */
const WRITE_BLOCKS = ['index.blocks.write', 'index.blocks.read_only', 'index.blocks.read_only_allow_delete'];

/** Index behind the alias, with whether it takes its writes; none when there is no such alias. */
export async function indicesBehind(
  engine: SearchEngine,
  alias: string,
): Promise<readonly { readonly name: string; readonly writeIndex: boolean }[]> {
  const { status, body } = await engine.request<ByIndex<Aliases>>({
    path: `/_alias/${encodeURIComponent(alias)}`,
    accept: [404],
  });
  if (status === 404) return [];
  return Object.entries(body)
    .filter(([, { aliases = {} }]) => Object.hasOwn(aliases, alias))
    .map(([name, { aliases = {} }]) => ({ name, writeIndex: aliases[alias]?.is_write_index === true }));
}

function aliasesOf(found: Aliases | undefined): IndexInfo['aliases'] {
  return Object.entries(found?.aliases ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { is_write_index: writeIndex }]) => ({ name, writeIndex: writeIndex === true }));
}

/** The servers know `*` alone; what it finds too much is left out afterwards. */
function indexExpression(pattern: string): string {
  return encodeURIComponent(pattern.replaceAll('?', '*')).replaceAll('%2A', '*');
}
