import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { elasticsearchIndexBody } from '../../../documents/schema/elasticsearch-mapping.ts';
import { InvalidInput, isTriadError, NotFound, Unavailable } from '../../../errors/errors.ts';
import type { AliasAction, IndexAdmin, IndexInfo, LifecyclePolicy, TaskStatus } from '../../port/index-admin.ts';
import type { EngineLimits } from '../collection-context.ts';
import { documentOf } from '../documents/document-source.ts';
import type { EngineRequest, SearchEngine } from '../transport/search-engine.ts';
import { IndexCopies } from './index-copy.ts';
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
  /** Shards and replicas of new indices of a collection. */
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
export class ElasticsearchIndexAdmin implements IndexAdmin {
  readonly prefix: string;
  readonly #engine: SearchEngine;
  readonly #lifecycle: IndexLifecycle;
  readonly #limits: EngineLimits;
  readonly #shape: IndexAdminDependencies['shape'];
  readonly #copies: IndexCopies;
  readonly #changed: () => void;

  constructor({ engine, lifecycle, prefix, limits, shape, closed, changed }: IndexAdminDependencies) {
    this.prefix = prefix;
    this.#engine = engine;
    this.#lifecycle = lifecycle;
    this.#limits = limits;
    this.#shape = shape;
    this.#copies = new IndexCopies(engine, limits, closed);
    this.#changed = changed;
  }

  async exists(index: string): Promise<boolean> {
    const { status, body } = await this.#engine.request<Record<string, unknown>>({
      method: 'GET',
      path: `${pathOf(index)}/_alias`,
      accept: [404],
    });
    // An alias answers with the indices behind it.
    return status !== 404 && Object.hasOwn(body, index);
  }

  async list(pattern: string): Promise<readonly IndexInfo[]> {
    return listIndices(this.#engine, this.#lifecycle, pattern);
  }

  async create(
    index: string,
    definition: CollectionDefinition<unknown>,
    options: Parameters<IndexAdmin['create']>[2] = {},
  ): Promise<void> {
    if (index === '') throw new InvalidInput('invalid_index_name', 'The name of an index must not be empty.');
    const { lifecyclePolicy, rolloverAlias, aliases = [] } = options;
    const body = this.#indexBody(definition, lifecyclePolicy, rolloverAlias);
    await this.#change({
      method: 'PUT',
      path: pathOf(index),
      body: {
        ...body,
        aliases: Object.fromEntries(aliases.map(({ name, writeIndex }) => [name, aliasBody(writeIndex)])),
      },
    });
    if (lifecyclePolicy !== undefined) await this.#lifecycle.attach(index, lifecyclePolicy);
  }

  async delete(index: string): Promise<void> {
    await this.#change({ method: 'DELETE', path: pathOf(index) });
  }

  async blockWrites(index: string): Promise<void> {
    await this.#change({ method: 'PUT', path: `${pathOf(index)}/_block/write`, repeatable: true });
  }

  async unblockWrites(index: string): Promise<void> {
    await this.#putSettings(index, { 'index.blocks.write': null });
  }

  async clone(source: string, target: string): Promise<void> {
    // OpenSearch answers with a defect of its own where there is none.
    await this.#requireIndex(source);
    await this.#change({
      method: 'PUT',
      path: `${pathOf(source)}/_clone/${encodeURIComponent(target)}`,
      query: { timeout: seconds(this.#limits.taskPollTimeout) },
      timeout: this.#limits.taskPollTimeout,
      // The copy is not blocked as the source is.
      body: { settings: { 'index.blocks.write': null } },
    });
    const { body } = await this.#engine.request<{ timed_out?: boolean }>({
      method: 'GET',
      path: `/_cluster/health/${encodeURIComponent(target)}`,
      query: { wait_for_status: 'yellow', timeout: seconds(this.#limits.taskPollTimeout) },
      timeout: this.#limits.taskPollTimeout,
      accept: [408],
    });
    if (body.timed_out === true) {
      throw new Unavailable('datastore_unavailable', `The copy ${target} of ${source} was begun and is not ready yet.`);
    }
  }

  async copy(source: string, target: string, options: Parameters<IndexAdmin['copy']>[2] = {}): Promise<string> {
    await this.#requireIndex(source);
    await this.#requireIndex(target);
    return this.#copies.start(source, target, options.transform);
  }

  task(id: string): Promise<TaskStatus> {
    return this.#copies.status(id);
  }

  async switchAliases(actions: readonly AliasAction[]): Promise<void> {
    const present = new Map<string, readonly { name: string; writeIndex: boolean }[]>();
    for (const action of actions) {
      if (action.kind === 'delete_index' || present.has(action.alias)) continue;
      present.set(action.alias, await indicesBehind(this.#engine, action.alias));
    }
    const body = aliasActions(actions, present);
    if (body.length > 0) await this.#change({ method: 'POST', path: '/_aliases', body: { actions: body } });
  }

  addFields(index: string, definition: CollectionDefinition<unknown>): Promise<void> {
    return addMissingFields(this.#engine, index, definition);
  }

  async putTemplate(
    name: string,
    pattern: string,
    definition: CollectionDefinition<unknown>,
    options: Parameters<IndexAdmin['putTemplate']>[3] = {},
  ): Promise<void> {
    const { lifecyclePolicy, rolloverAlias } = options;
    const template = this.#indexBody(definition, lifecyclePolicy, rolloverAlias);
    await this.#change({
      method: 'PUT',
      path: `/_index_template/${encodeURIComponent(name)}`,
      body: { index_patterns: [pattern], template },
      repeatable: true,
    });
    if (lifecyclePolicy !== undefined) await this.#lifecycle.attachPattern(pattern, lifecyclePolicy);
  }

  async putLifecyclePolicy(name: string, policy: LifecyclePolicy): Promise<void> {
    await this.#lifecycle.putPolicy(name, policy);
  }

  async setLifecycle(
    index: string,
    policy: string,
    rolloverAlias: string,
    options: Parameters<IndexAdmin['setLifecycle']>[3] = {},
  ): Promise<void> {
    await this.#requireIndex(index);
    const settings = this.#lifecycle.settings(policy, rolloverAlias);
    await this.#putSettings(index, options.rolledOver ? { ...settings, ...this.#lifecycle.rolledOver } : settings);
    await this.#lifecycle.attach(index, policy);
  }

  rollover(alias: string, conditions: Parameters<IndexAdmin['rollover']>[1]): Promise<string | undefined> {
    return rollOver(this.#engine, alias, conditions).finally(this.#changed);
  }

  async compact(index: string): Promise<void> {
    await this.#engine.request({
      method: 'POST',
      path: `${pathOf(index)}/_forcemerge`,
      query: { only_expunge_deletes: true },
      timeout: this.#limits.taskPollTimeout,
      repeatable: true,
    });
  }

  async *scan(index: string, options: Parameters<IndexAdmin['scan']>[1]): ReturnType<IndexAdmin['scan']> {
    const { after, batch = SCAN_ROWS } = options;
    if (!Number.isInteger(batch) || batch < 1) {
      throw new InvalidInput('invalid_rows', 'A batch has at least one document.');
    }
    for await (const found of scanIndex(this.#engine, index, { after, batch })) {
      yield found.map(({ id, source }) => ({ id, document: documentOf<Record<string, unknown>>(source) }));
    }
  }

  async freeBytes(): Promise<number | undefined> {
    try {
      const { body } = await this.#engine.request<NodeStats>({ method: 'GET', path: '/_nodes/stats/fs' });
      const nodes = Object.values(body.nodes ?? {}).filter(({ roles = [] }) =>
        roles.some((role) => /^data/.test(role)),
      );
      const free = nodes.map(({ fs }) => fs?.total?.available_in_bytes);
      return free.length === 0 || free.includes(undefined)
        ? undefined
        : free.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
    } catch (error) {
      // Whoever may use the indices need not be allowed to look at the nodes.
      if (isTriadError(error) && error.code === 'datastore_credentials_refused') return undefined;
      throw error;
    }
  }

  async #requireIndex(index: string): Promise<void> {
    if (!(await this.exists(index))) throw new NotFound('index_missing', `There is no index ${index}.`);
  }

  #indexBody(definition: CollectionDefinition<unknown>, policy: string | undefined, rolloverAlias: string | undefined) {
    const { settings, mappings } = elasticsearchIndexBody(definition, this.#shape(definition.name));
    return { settings: { ...settings, ...this.#lifecycle.settings(policy, rolloverAlias) }, mappings };
  }

  async #putSettings(index: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#change({ method: 'PUT', path: `${pathOf(index)}/_settings`, body: settings, repeatable: true });
  }

  /** Changes are not sent twice, unless the request says so: the second answer would be about the first. */
  async #change(request: EngineRequest): Promise<void> {
    const asked = this.#engine.request<{ acknowledged?: boolean }>({ repeatable: false, ...request });
    const { body } = await asked.finally(this.#changed);
    if (body.acknowledged === false) {
      throw new Unavailable(
        'datastore_unavailable',
        'The cluster took the change and did not confirm it in time. Look whether it was made, and repeat it.',
        { retryAfter: 5 },
      );
    }
  }
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
