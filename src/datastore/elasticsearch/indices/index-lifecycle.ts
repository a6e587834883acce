import type { estypes } from '@elastic/elasticsearch';
import type { Types } from '@opensearch-project/opensearch';
import { NotFound, Unsupported } from '../../../errors/errors.ts';
import type { LifecyclePolicy } from '../../port/index-admin.ts';
import type { SearchEngine } from '../transport/search-engine.ts';

/** Moves indices through phases: with ILM of Elasticsearch, ISM of OpenSearch, or not at all. */
export interface IndexLifecycle {
  /** True if the server supports lifecycles. Otherwise every method that sets one up is rejected. */
  readonly present: boolean;
  /** Flat index settings of a policy and the alias that it rolls over; throws `lifecycle_unsupported`. */
  settings(policy: string | undefined, rolloverAlias: string | undefined): Readonly<Record<string, string>>;
  /** Index settings, flat, of an index that waits for no rollover. */
  readonly rolledOver: Readonly<Record<string, boolean>>;
  /** Creates or replaces. @throws Unsupported `lifecycle_unsupported` */
  putPolicy(name: string, policy: LifecyclePolicy): Promise<void>;
  attach(index: string, policy: string): Promise<void>;
  /** Attaches the policy to new indices of the pattern, in addition to their template. */
  attachPattern(pattern: string, policy: string): Promise<void>;
  /** The policy and the rolled alias that the flat settings of an index name. */
  read(settings: Readonly<Record<string, unknown>>): { policy: string | undefined; rolloverAlias: string | undefined };
  /** Policies of indices that their settings do not tell. */
  policiesOf(expression: string): Promise<ReadonlyMap<string, string>>;
  /** Phases of managed indices; none where this user may not ask. */
  phasesOf(expression: string): Promise<ReadonlyMap<string, string>>;
}

export async function findLifecycle(engine: SearchEngine): Promise<IndexLifecycle> {
  const ism = engine.vendor === 'opensearch';
  const { status } = await engine.request({
    path: ism ? '/_plugins/_ism/policies' : '/_ilm/status',
    query: ism ? { size: 1 } : {},
    // Without the module the path is unknown, or looks like an index; without the privilege it is there.
    accept: [400, 403, 404, 405, 410],
  });
  if (status !== 200 && status !== 403) return withoutLifecycle(engine);
  return ism ? stateManagement(engine) : lifecycleManagement(engine);
}

/** @see https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-ilm-put-lifecycle */
export function ilmPolicy({ rollover, warm, cold }: LifecyclePolicy): estypes.IlmPolicy {
  return {
    phases: {
      hot: {
        min_age: '0ms',
        actions: { rollover: { max_age: rollover.maxAge, max_primary_shard_size: rollover.maxPrimaryShardSize } },
      },
      ...(warm && {
        warm: {
          min_age: warm.minAge,
          actions:
            warm.forceMergeSegments === undefined ? {} : { forcemerge: { max_num_segments: warm.forceMergeSegments } },
        },
      }),
      ...(cold && { cold: { min_age: cold.minAge, actions: {} } }),
    },
  };
}

/** @see https://docs.opensearch.org/latest/im-plugin/ism/policies/ */
export function ismPolicy({ rollover, warm, cold }: LifecyclePolicy): Types.Ism_Common.Policy {
  const phases: { name: string; minAge?: string; actions: Types.Ism_Common.Action[] }[] = [
    {
      name: 'hot',
      actions: [{ rollover: { min_index_age: rollover.maxAge, min_primary_shard_size: rollover.maxPrimaryShardSize } }],
    },
  ];
  if (warm) {
    phases.push({
      name: 'warm',
      minAge: warm.minAge,
      // The merge blocks writes and leaves them blocked; the index stays writable in every phase.
      actions:
        warm.forceMergeSegments === undefined
          ? []
          : [{ force_merge: { max_num_segments: warm.forceMergeSegments } }, { read_write: {} }],
    });
  }
  if (cold) phases.push({ name: 'cold', minAge: cold.minAge, actions: [] });
  return {
    description: 'Rollover by age and size, then warm and cold. Nothing is deleted.',
    default_state: 'hot',
    states: phases.map(({ name, actions }, index) => {
      const next = phases[index + 1];
      // Counted from the rollover, as ILM counts.
      const transitions = next ? [{ state_name: next.name, conditions: { min_rollover_age: next.minAge } }] : [];
      return { name, actions, transitions };
    }),
  };
}

export function lifecycleManagement(engine: SearchEngine): IndexLifecycle {
  return {
    present: true,
    settings: (policy, rolloverAlias) =>
      flat({ 'index.lifecycle.name': policy, 'index.lifecycle.rollover_alias': rolloverAlias }),
    // https://www.elastic.co/docs/reference/elasticsearch/configuration-reference/index-lifecycle-management-settings
    rolledOver: { 'index.lifecycle.indexing_complete': true },
    async putPolicy(name, policy) {
      const body: { policy: estypes.IlmPolicy } = { policy: ilmPolicy(policy) };
      await engine.request({ method: 'PUT', path: `/_ilm/policy/${encodeURIComponent(name)}`, body });
    },
    async attach() {},
    async attachPattern() {},
    read: (settings) => ({
      policy: textOf(settings['index.lifecycle.name']),
      rolloverAlias: textOf(settings['index.lifecycle.rollover_alias']),
    }),
    policiesOf: async () => new Map(),
    // https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-ilm-explain-lifecycle
    async phasesOf(expression) {
      const { status, body } = await engine.request<{ readonly indices?: ByIndex<{ readonly phase?: string }> }>({
        path: `/${expression}/_ilm/explain`,
        query: { only_managed: true },
        accept: [403, 404],
      });
      return phasesBy(status === 200 ? (body.indices ?? {}) : {}, ({ phase }) => phase);
    },
  };
}

const ISM_ROLLOVER_ALIAS = 'index.plugins.index_state_management.rollover_alias';
const ISM_POLICY = 'index.plugins.index_state_management.policy_id';
/** Priority of our patterns over those of other policies. */
const ISM_PRIORITY = 100;

/** Policies name the patterns of new indices themselves; existing indices are added to a policy. */
function stateManagement(engine: SearchEngine): IndexLifecycle {
  const policyPath = (name: string): string => `/_plugins/_ism/policies/${encodeURIComponent(name)}`;

  const read = async (name: string): Promise<Types.Ism_Common.PolicyWithMetadata | undefined> => {
    const { status, body } = await engine.request<Types.Ism_Common.PolicyWithMetadata>({
      path: policyPath(name),
      accept: [404],
    });
    return status === 404 ? undefined : body;
  };
  /** Writes by the version that was read; of two concurrent changes one gets `version_conflict`. */
  const write = async (
    name: string,
    policy: Types.Ism_Common.Policy,
    known: Types.Ism_Common.PolicyWithMetadata | undefined,
  ): Promise<void> => {
    const version = known && { if_seq_no: known._seq_no ?? 0, if_primary_term: known._primary_term ?? 0 };
    await engine.request({ method: 'PUT', path: policyPath(name), query: version ?? {}, body: { policy } });
  };

  return {
    present: true,
    settings: (_policy, rolloverAlias) => flat({ [ISM_ROLLOVER_ALIAS]: rolloverAlias }),
    // https://docs.opensearch.org/latest/im-plugin/ism/settings/
    rolledOver: { 'index.plugins.index_state_management.rollover_skip': true },
    async putPolicy(name, policy) {
      const known = await read(name);
      const templates = templatesOf(known);
      await write(name, { ...ismPolicy(policy), ...(templates.length > 0 ? { ism_template: templates } : {}) }, known);
    },
    async attach(index, policy) {
      const ask = (verb: string) =>
        engine.request<Types.Ism_Common.ChangeResponse>({
          method: 'POST',
          path: `/_plugins/_ism/${verb}/${encodeURIComponent(index)}`,
          body: { policy_id: policy },
          repeatable: true,
        });
      const added = await ask('add');
      // An index that has a policy takes another by a request of its own.
      if (added.body.failures === true) await ask('change_policy');
    },
    async attachPattern(pattern, policy) {
      const known = await read(policy);
      if (!known?.policy) throw new NotFound('lifecycle_policy_missing', `There is no lifecycle policy ${policy}.`);
      const templates = templatesOf(known);
      if (templates.some(({ index_patterns: patterns }) => patterns?.includes(pattern))) return;
      const { policy_id: _id, last_updated_time: _time, schema_version: _schema, ...own } = known.policy;
      const added = { index_patterns: [pattern], priority: ISM_PRIORITY };
      await write(policy, { ...own, ism_template: [...templates, added] }, known);
    },
    read: (settings) => ({
      policy: textOf(settings[ISM_POLICY]),
      rolloverAlias: textOf(settings[ISM_ROLLOVER_ALIAS]),
    }),
    async policiesOf(expression) {
      const { status, body } = await engine.request<Record<string, unknown>>({
        path: `/_plugins/_ism/explain/${expression}`,
        accept: [404],
      });
      const policies = new Map<string, string>();
      if (status === 404) return policies;
      for (const [index, explained] of Object.entries(body)) {
        const policy =
          typeof explained === 'object' && explained !== null && textOf(Reflect.get(explained, ISM_POLICY));
        if (policy) policies.set(index, policy);
      }
      return policies;
    },
    async phasesOf(expression) {
      const { status, body } = await engine.request<ByIndex<{ readonly state?: { readonly name?: string } }>>({
        path: `/_plugins/_ism/explain/${expression}`,
        accept: [403, 404],
      });
      return phasesBy(status === 200 ? body : {}, ({ state }) => state?.name);
    },
  };
}

type ByIndex<T> = Readonly<Record<string, T>>;

function phasesBy<T>(explained: ByIndex<T>, phaseOf: (index: T) => string | undefined): ReadonlyMap<string, string> {
  const phases = new Map<string, string>();
  for (const [index, one] of Object.entries(explained)) {
    // Beside the indices stands their number.
    const phase = typeof one === 'object' && one !== null ? textOf(phaseOf(one)) : undefined;
    if (phase !== undefined) phases.set(index, phase);
  }
  return phases;
}

function templatesOf(known: Types.Ism_Common.PolicyWithMetadata | undefined): Types.Ism_Common.IsmTemplate[] {
  const templates = known?.policy?.ism_template ?? [];
  return Array.isArray(templates) ? templates : [templates];
}

function withoutLifecycle({ vendor, version }: SearchEngine): IndexLifecycle {
  const module =
    vendor === 'opensearch' ? 'the Index State Management plugin (ISM)' : 'index lifecycle management (ILM)';
  const refuse = (): never => {
    const message = `This ${vendor} ${version} lacks ${module}, so indices cannot be split by age. Set datastore.ilm.enabled to false, or use a distribution that has it.`;
    throw new Unsupported('lifecycle_unsupported', message);
  };
  return {
    present: false,
    settings: (policy, rolloverAlias) => (policy === undefined && rolloverAlias === undefined ? {} : refuse()),
    rolledOver: {},
    putPolicy: async () => refuse(),
    attach: async () => refuse(),
    attachPattern: async () => refuse(),
    read: () => ({ policy: undefined, rolloverAlias: undefined }),
    policiesOf: async () => new Map(),
    phasesOf: async () => new Map(),
  };
}

function flat(settings: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
