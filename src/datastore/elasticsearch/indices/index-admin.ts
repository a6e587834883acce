import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { elasticsearchIndexBody } from '../../../documents/schema/elasticsearch-mapping.ts';
import { InvalidInput, isTriadError, NotFound } from '../../../errors/errors.ts';
import type { AliasAction, IndexAdmin, LifecycleOptions } from '../../port/index-admin.ts';
import type { EngineLimits } from '../collection-context.ts';
import { engineUnavailable } from '../transport/engine-errors.ts';
import type { EngineRequest, SearchEngine } from '../transport/search-engine.ts';
import { indexCopies } from './index-copy.ts';
import { addMissingFields } from './index-fields.ts';
import type { IndexLifecycle } from './index-lifecycle.ts';
import { indicesBehind, listIndices } from './index-list.ts';
import { rollOver } from './index-rollover.ts';
import { scanIndex } from './index-scan.ts';

export interface IndexAdminDependencies {
  readonly engine: SearchEngine;
  readonly lifecycle: IndexLifecycle;
  readonly prefix: string;
  readonly limits: EngineLimits;
  readonly shape: (collection: string) => IndexShape;
  /** Ends copies that run in this process. */
  readonly closed: AbortSignal;
  /** Called after each change: what is remembered of indices and aliases may be wrong. */
  readonly changed: () => void;
}

export interface IndexShape {
  readonly shards: number;
  readonly replicas: number;
}

const SCAN_ROWS = 500;

/** Indices of a cluster, by the interfaces that Elasticsearch and OpenSearch share. */
export function elasticsearchIndexAdmin(dependencies: IndexAdminDependencies): IndexAdmin {
  const { engine, lifecycle, prefix, limits, shape, closed, changed } = dependencies;
  const copies = indexCopies(engine, limits, closed);

  const exists = async (index: string): Promise<boolean> => {
    const { status, body } = await engine.request<Record<string, unknown>>({
      path: `${pathOf(index)}/_alias`,
      accept: [404],
    });
    // An alias answers with the indices behind it.
    return status !== 404 && Object.hasOwn(body, index);
  };
  const requireIndex = async (index: string): Promise<void> => {
    if (!(await exists(index))) throw new NotFound('index_missing', `There is no index ${index}.`);
  };
  const indexBody = (
    definition: CollectionDefinition<unknown>,
    { lifecyclePolicy, rolloverAlias }: LifecycleOptions,
  ) => {
    const { settings, mappings } = elasticsearchIndexBody(definition, shape(definition.name));
    return { settings: { ...settings, ...lifecycle.settings(lifecyclePolicy, rolloverAlias) }, mappings };
  };
  /** Changes are not sent twice, unless the request says so: the second answer would be about the first. */
  const change = async (request: EngineRequest): Promise<void> => {
    const asked = engine.request<{ acknowledged?: boolean }>({ repeatable: false, ...request });
    const { body } = await asked.finally(changed);
    if (body.acknowledged === false) {
      const message =
        'The cluster took the change and did not confirm it in time. Look whether it was made, and repeat it.';
      throw engineUnavailable(message);
    }
  };
  const putSettings = (index: string, settings: Readonly<Record<string, unknown>>) =>
    change({ method: 'PUT', path: `${pathOf(index)}/_settings`, body: settings, repeatable: true });

  return {
    prefix,
    exists,
    list: (pattern) => listIndices(engine, lifecycle, pattern),
    async create(index, definition, options = {}) {
      if (index === '') throw new InvalidInput('invalid_index_name', 'The name of an index must not be empty.');
      const { lifecyclePolicy, aliases = [] } = options;
      await change({
        method: 'PUT',
        path: pathOf(index),
        body: {
          ...indexBody(definition, options),
          aliases: Object.fromEntries(aliases.map(({ name, writeIndex }) => [name, aliasBody(writeIndex)])),
        },
      });
      if (lifecyclePolicy !== undefined) await lifecycle.attach(index, lifecyclePolicy);
    },
    delete: (index) => change({ method: 'DELETE', path: pathOf(index) }),
    blockWrites: (index) => change({ method: 'PUT', path: `${pathOf(index)}/_block/write`, repeatable: true }),
    unblockWrites: (index) => putSettings(index, { 'index.blocks.write': null }),
    async clone(source, target) {
      // OpenSearch answers with a defect of its own where there is none.
      await requireIndex(source);
      const wait = { timeout: seconds(limits.taskPollTimeout) };
      await change({
        method: 'PUT',
        path: `${pathOf(source)}/_clone/${encodeURIComponent(target)}`,
        query: wait,
        timeout: limits.taskPollTimeout,
        // The copy is not blocked as the source is.
        body: { settings: { 'index.blocks.write': null } },
      });
      const { body } = await engine.request<{ timed_out?: boolean }>({
        path: `/_cluster/health/${encodeURIComponent(target)}`,
        query: { wait_for_status: 'yellow', ...wait },
        timeout: limits.taskPollTimeout,
        accept: [408],
      });
      if (body.timed_out === true) {
        throw engineUnavailable(`The copy ${target} of ${source} was begun and is not ready yet.`);
      }
    },
    async copy(source, target, { transform } = {}) {
      await requireIndex(source);
      await requireIndex(target);
      return copies.start(source, target, transform);
    },
    task: (id) => copies.status(id),
    async switchAliases(actions) {
      const present = new Map<string, readonly { name: string; writeIndex: boolean }[]>();
      for (const action of actions) {
        if (action.kind === 'delete_index' || present.has(action.alias)) continue;
        present.set(action.alias, await indicesBehind(engine, action.alias));
      }
      const body = aliasActions(actions, present);
      if (body.length > 0) await change({ method: 'POST', path: '/_aliases', body: { actions: body } });
    },
    addFields: (index, definition) => addMissingFields(engine, index, definition),
    async putTemplate(name, pattern, definition, options = {}) {
      await change({
        method: 'PUT',
        path: `/_index_template/${encodeURIComponent(name)}`,
        body: { index_patterns: [pattern], template: indexBody(definition, options) },
        repeatable: true,
      });
      const { lifecyclePolicy } = options;
      if (lifecyclePolicy !== undefined) await lifecycle.attachPattern(pattern, lifecyclePolicy);
    },
    putLifecyclePolicy: (name, policy) => lifecycle.putPolicy(name, policy),
    async setLifecycle(index, policy, rolloverAlias, options = {}) {
      await requireIndex(index);
      const settings = lifecycle.settings(policy, rolloverAlias);
      await putSettings(index, options.rolledOver ? { ...settings, ...lifecycle.rolledOver } : settings);
      await lifecycle.attach(index, policy);
    },
    rollover: (alias, conditions) => rollOver(engine, alias, conditions).finally(changed),
    async compact(index) {
      await engine.request({
        method: 'POST',
        path: `${pathOf(index)}/_forcemerge`,
        query: { only_expunge_deletes: true },
        timeout: limits.taskPollTimeout,
        repeatable: true,
      });
    },
    async *scan(index, { after, batch = SCAN_ROWS }) {
      if (!Number.isInteger(batch) || batch < 1) {
        throw new InvalidInput('invalid_rows', 'A batch has at least one document.');
      }
      yield* scanIndex({ engine, limits }, index, { after, batch });
    },
    phases: () => lifecycle.phasesOf(`${prefix}-*`),
    async freeBytes() {
      try {
        const { body } = await engine.request<NodeStats>({ path: '/_nodes/stats/fs' });
        const nodes = Object.values(body.nodes ?? {}).filter(({ roles = [] }) =>
          roles.some((role) => /^data/.test(role)),
        );
        const free = nodes.map(({ fs }) => fs?.total?.available_in_bytes);
        if (free.length === 0 || free.includes(undefined)) return undefined;
        return free.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
      } catch (error) {
        // Anyone who may use the indices need not be allowed to look at the nodes.
        if (isTriadError(error) && error.code === 'datastore_credentials_refused') return undefined;
        throw error;
      }
    },
  };
}

interface NodeStats {
  readonly nodes?: Readonly<
    Record<
      string,
      {
        readonly roles?: readonly string[];
        readonly fs?: { readonly total?: { readonly available_in_bytes?: number } };
      }
    >
  >;
}

type Behind = ReadonlyMap<string, readonly { readonly name: string; readonly writeIndex: boolean }[]>;

/** An alias has one write index: one that is added takes the mark from the old. */
function aliasActions(actions: readonly AliasAction[], present: Behind): object[] {
  const leaving = new Set(
    actions.flatMap((action) => (action.kind === 'remove' ? [`${action.index} ${action.alias}`] : [])),
  );
  const deleted = new Set(actions.flatMap((action) => (action.kind === 'delete_index' ? [action.index] : [])));
  return actions.flatMap((action): object[] => {
    if (action.kind === 'delete_index') return [{ remove_index: { index: action.index } }];
    const { index, alias } = action;
    const behind = present.get(alias) ?? [];
    if (action.kind === 'remove') {
      const optional = action.mustExist === false;
      if (optional && !behind.some(({ name }) => name === index)) return [];
      return [{ remove: { index, alias, must_exist: true } }];
    }
    const demoted = action.writeIndex
      ? behind.filter(
          ({ name, writeIndex }) =>
            writeIndex && name !== index && !leaving.has(`${name} ${alias}`) && !deleted.has(name),
        )
      : [];
    return [
      ...demoted.map(({ name }) => ({ add: { index: name, alias, is_write_index: false } })),
      { add: { index, alias, ...aliasBody(action.writeIndex) } },
    ];
  });
}

function aliasBody(writeIndex: boolean | undefined): { is_write_index?: boolean } {
  return writeIndex === undefined ? {} : { is_write_index: writeIndex };
}

function pathOf(index: string): string {
  return `/${encodeURIComponent(index)}`;
}

function seconds(milliseconds: number): string {
  return `${Math.max(1, Math.ceil(milliseconds / 1000))}s`;
}
