import type { Script, ScriptedAnswer, ScriptedRequest } from './scripted-server.ts';

type Vendor = 'elasticsearch' | 'opensearch';

interface ScriptedIndex {
  /** Flat. */
  settings: Record<string, string>;
  mappings: { properties?: Record<string, unknown>; dynamic_templates?: unknown };
  aliases: Record<string, { is_write_index?: boolean }>;
  documents: number;
  policy?: string;
}

/** A request that changes something. */
export interface ScriptedChange {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export interface ScriptedCluster {
  readonly script: Script;
  readonly indices: Map<string, ScriptedIndex>;
  /** In the order in which they came. */
  readonly changes: readonly ScriptedChange[];
  addIndex(name: string, documents: number, aliases?: ScriptedIndex['aliases']): void;
}

type Handler = (match: readonly string[], body: Record<string, unknown>) => ScriptedAnswer;

const DONE: ScriptedAnswer = { body: { acknowledged: true, shards_acknowledged: true } };
const CREATION = Date.UTC(2026, 0, 1);

/**
 * The administration of indices as a cluster answers it that has lifecycles, which no server has that
 * can be had as a package. It keeps indices, aliases and settings; documents are a number.
 */
export function scriptedCluster(vendor: Vendor): ScriptedCluster {
  const indices = new Map<string, ScriptedIndex>();
  const changes: ScriptedChange[] = [];
  const policies = new Map<string, { seq: number; policy: object }>();

  const addIndex: ScriptedCluster['addIndex'] = (name, documents, aliases = {}) => {
    indices.set(name, { settings: { 'index.creation_date': String(CREATION) }, mappings: {}, aliases, documents });
  };
  const named = (expression: string): [string, ScriptedIndex][] => {
    const fits = new RegExp(`^${decodeURIComponent(expression).replaceAll('*', '.*')}$`);
    return [...indices].filter(([name, { aliases }]) => fits.test(name) || Object.keys(aliases).includes(expression));
  };
  let lenient = false;
  const perIndex = (expression: string, value: (index: ScriptedIndex) => unknown): ScriptedAnswer => {
    const found = named(expression);
    if (found.length === 0 && !lenient) return missing(expression);
    return { body: Object.fromEntries(found.map(([name, index]) => [name, value(index)])) };
  };
  const change = (name: string, work: (index: ScriptedIndex) => void): ScriptedAnswer => {
    const index = indices.get(name);
    if (index === undefined) return missing(name);
    work(index);
    return DONE;
  };

  const routes: readonly [string, RegExp, Handler][] = [
    ['GET', /^\/$/, () => ({ body: { version: versionOf(vendor) } })],
    ['GET', /^\/_ilm\/status$/, () => (vendor === 'elasticsearch' ? { body: { operation_mode: 'RUNNING' } } : UNKNOWN)],
    ['PUT', /^\/_ilm\/policy\/[^/]+$/, () => DONE],
    ['GET', /^\/_plugins\/_ism\/policies$/, () => (vendor === 'opensearch' ? { body: { policies: [] } } : UNKNOWN)],
    [
      'GET',
      /^\/_plugins\/_ism\/policies\/([^/]+)$/,
      ([name = '']) => {
        const known = policies.get(name);
        return known === undefined
          ? { status: 404, body: { error: { type: 'status_exception', reason: 'Policy not found' }, status: 404 } }
          : { body: { _id: name, _seq_no: known.seq, _primary_term: 1, policy: { policy_id: name, ...known.policy } } };
      },
    ],
    [
      'PUT',
      /^\/_plugins\/_ism\/policies\/([^/]+)$/,
      ([name = ''], { policy }) => {
        policies.set(name, { seq: (policies.get(name)?.seq ?? 0) + 1, policy: policy as object });
        return { body: { _id: name } };
      },
    ],
    [
      'POST',
      /^\/_plugins\/_ism\/(?:add|change_policy)\/([^/]+)$/,
      ([name = ''], { policy_id: policy }) => {
        change(name, (index) => {
          index.policy = String(policy);
        });
        return { body: { updated_indices: 1, failures: false, failed_indices: [] } };
      },
    ],
    [
      'GET',
      /^\/_plugins\/_ism\/explain\/(.+)$/,
      ([expression = '']) =>
        perIndex(expression, ({ policy }) => ({ 'index.plugins.index_state_management.policy_id': policy ?? null })),
    ],
    ['PUT', /^\/_index_template\/[^/]+$/, () => DONE],
    ['POST', /^\/[^/]+\/_refresh$/, () => DONE],
    ['GET', /^\/([^/]+)\/_settings$/, ([name = '']) => perIndex(name, ({ settings }) => ({ settings }))],
    ['GET', /^\/([^/]+)\/_mapping$/, ([name = '']) => perIndex(name, ({ mappings }) => ({ mappings }))],
    [
      'GET',
      /^\/_alias\/([^/]+)$/,
      ([alias = '']) => {
        const behind = [...indices].filter(([, { aliases }]) => Object.hasOwn(aliases, alias));
        if (behind.length === 0) return missing(alias);
        return { body: Object.fromEntries(behind.map(([name, { aliases }]) => [name, { aliases }])) };
      },
    ],
    ['GET', /^\/([^/]+)\/_alias$/, ([name = '']) => perIndex(name, ({ aliases }) => ({ aliases }))],
    [
      'GET',
      /^\/([^/]+)\/_stats\//,
      ([name = '']) => {
        const stats = ({ documents: count }: ScriptedIndex) => ({
          primaries: { docs: { count } },
          total: { store: { size_in_bytes: count } },
        });
        return { body: { indices: Object.fromEntries(named(name).map(([key, index]) => [key, stats(index)])) } };
      },
    ],
    ['GET', /^\/_cluster\/health\//, () => ({ body: { status: 'green', timed_out: false } })],
    [
      'PUT',
      /^\/([^/]+)\/_block\/write$/,
      ([name = '']) => change(name, ({ settings }) => Object.assign(settings, { 'index.blocks.write': 'true' })),
    ],
    ['PUT', /^\/([^/]+)\/_settings$/, ([name = ''], body) => change(name, (index) => applySettings(index, body))],
    [
      'PUT',
      /^\/([^/]+)\/_mapping$/,
      ([name = ''], { properties, dynamic_templates: templates }) =>
        change(name, ({ mappings }) => {
          if (templates !== undefined) mappings.dynamic_templates = templates;
          mappings.properties = { ...mappings.properties, ...(properties as object) };
        }),
    ],
    [
      'PUT',
      /^\/([^/]+)\/_clone\/([^/]+)$/,
      ([source = '', target = ''], { settings }) => {
        if (indices.has(target)) return existing(target);
        return change(source, ({ settings: own, documents, mappings }) => {
          const copy = { settings: { ...own }, mappings, documents, aliases: {} };
          applySettings(copy, (settings ?? {}) as Record<string, unknown>);
          indices.set(target, copy);
        });
      },
    ],
    [
      'POST',
      /^\/_aliases$/,
      (_match, { actions }) => switchAliases(indices, actions as Record<string, Record<string, unknown>>[]),
    ],
    [
      'PUT',
      /^\/([^/_][^/]*)$/,
      ([name = ''], { settings, mappings, aliases }) => {
        if (named(name).length > 0) return existing(name);
        addIndex(name, 0, aliases as ScriptedIndex['aliases']);
        return change(name, (index) => {
          index.mappings = mappings as ScriptedIndex['mappings'];
          applySettings(index, settings as Record<string, unknown>);
        });
      },
    ],
    ['DELETE', /^\/([^/_][^/]*)$/, ([name = '']) => (indices.delete(name) ? DONE : missing(name))],
  ];

  const script = ({ method, url, body }: ScriptedRequest): ScriptedAnswer => {
    const path = url.replace(/\?.*$/, '');
    lenient = path.includes('*') || url.includes('ignore_unavailable=true');
    const parsed = body === '' ? {} : JSON.parse(body);
    const isChange = method !== 'GET' && method !== 'HEAD' && !path.endsWith('/_refresh');
    if (isChange) changes.push({ method, path, body: body === '' ? undefined : parsed });
    for (const [verb, pattern, handle] of routes) {
      const match = verb === method ? pattern.exec(path) : null;
      if (match === null) continue;
      const answer = handle(match.slice(1).map(decodeURIComponent), parsed);
      return { ...answer, headers: { 'x-elastic-product': 'Elasticsearch' } };
    }
    return { ...UNKNOWN, headers: { 'x-elastic-product': 'Elasticsearch' } };
  };
  return { script, indices, changes, addIndex };
}

const UNKNOWN: ScriptedAnswer = { status: 400, body: { error: 'no handler found', status: 400 } };

function versionOf(vendor: Vendor): object {
  return vendor === 'opensearch' ? { number: '3.8.0', distribution: 'opensearch' } : { number: '9.4.3' };
}

function missing(name: string): ScriptedAnswer {
  return failed(404, 'index_not_found_exception', `no such index [${name}]`);
}

function existing(name: string): ScriptedAnswer {
  return failed(400, 'resource_already_exists_exception', `index [${name}] already exists`);
}

function failed(status: number, type: string, reason: string): ScriptedAnswer {
  return { status, body: { error: { type, reason, root_cause: [{ type, reason }] }, status } };
}

function applySettings(index: ScriptedIndex, given: Record<string, unknown>, above = ''): void {
  for (const [name, value] of Object.entries(given)) {
    const path = above + name;
    if (typeof value === 'object' && value !== null) applySettings(index, { ...value }, `${path}.`);
    else if (value === null) delete index.settings[path];
    else index.settings[path] = String(value);
  }
}

/** All or nothing; indices that go, go first. */
function switchAliases(
  indices: Map<string, ScriptedIndex>,
  actions: readonly Record<string, Record<string, unknown>>[],
): ScriptedAnswer {
  const next = structuredClone(indices);
  for (const { remove_index: gone } of actions) {
    if (gone !== undefined && !next.delete(String(gone.index))) return missing(String(gone.index));
  }
  for (const { add, remove } of actions) {
    const action = add ?? remove;
    if (action === undefined) continue;
    const { index: name, alias, is_write_index: write } = action;
    const index = next.get(String(name));
    if (index === undefined) return missing(String(name));
    if (add !== undefined) {
      index.aliases[String(alias)] = write === undefined ? {} : { is_write_index: write === true };
    } else if (Object.hasOwn(index.aliases, String(alias))) {
      delete index.aliases[String(alias)];
    } else return failed(404, 'aliases_not_found_exception', `aliases [${alias}] missing`);
  }
  indices.clear();
  for (const [name, index] of next) indices.set(name, index);
  return DONE;
}
