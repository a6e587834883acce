import { createServer } from 'node:http';
import { actionSpec, checkAction, readActionRequest } from './actions.js';
import { cacheKey, memoryStore } from './cache.js';
import { AuthenticationFailed, failureOf, InvalidData, PluginError } from './errors.js';
import { isObject, readActionResult, readEntries, readFetcherResult, readSelector } from './models.js';

const SLOTS = ['lookup', 'bulk', 'actions', 'fetchers', 'validateToken', 'liveness', 'readiness'];
const MAX_BODY = 10 * 1024 * 1024;
/** Lookups of one bulk request that run at the same time. */
const CONCURRENCY = 16;
const MAX_LIMIT = 100;

/** Creates a plugin. See index.d.ts. */
export function createPlugin(options) {
  return new Plugin(options);
}

class Plugin {
  #options;
  #slots;
  #store;

  constructor(options) {
    const { name, classification = process.env.CLASSIFICATION, types = [], cache = {} } = options ?? {};
    if (typeof name !== 'string' || name === '') throw new TypeError('A plugin needs a name.');
    if (!classification) throw new TypeError('A plugin needs a classification (or the variable CLASSIFICATION).');
    const { maxLimit = Number(process.env.MAX_LIMIT) || MAX_LIMIT } = options;
    const { maxTimeout = Number(process.env.MAX_TIMEOUT) || 3, concurrency = CONCURRENCY, log = console } = options;
    const list = typeof types === 'string' ? types.split(',') : [...types];
    const known = list.map((type) => type.trim().toLowerCase()).sort();
    this.#options = { name, classification, types: known, maxLimit, maxTimeout, concurrency, cache, log };
    this.#slots = { liveness: () => true, readiness: () => true };
    for (const slot of SLOTS) if (options[slot] !== undefined) this.use(slot, options[slot]);
    this.#store = cache === false ? undefined : (cache.store ?? memoryStore());
  }

  get name() {
    return this.#options.name;
  }

  /** Fills a slot, also while the plugin listens. */
  use(slot, value) {
    if (!SLOTS.includes(slot)) throw new TypeError(`"${slot}" is not a slot. Allowed: ${SLOTS.join(', ')}.`);
    if (slot === 'actions' && Array.isArray(value)) value.forEach(checkAction);
    if (slot === 'fetchers') value.forEach(checkFetcher);
    this.#slots[slot] = value;
    return this;
  }

  /** Handles a request of `node:http`. */
  get handler() {
    return (request, response) => void this.#handle(request, response);
  }

  /** Listens; resolves with the server. */
  listen(port = Number(process.env.PLUGIN_PORT ?? process.env.PORT ?? 8000), host = '0.0.0.0') {
    const server = createServer(this.handler);
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => resolve(server));
    });
  }

  async #handle(request, response) {
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    try {
      const answer = await this.#answer(request, closed.signal);
      if (typeof answer === 'string') send(response, 200, 'text/plain', answer);
      else sendEnvelope(response, answer);
    } catch (error) {
      const { status, message } = failureOf(error);
      if (status === 500) this.#options.log.error?.(error);
      sendEnvelope(response, { status, message, data: error.data ?? null });
    }
  }

  async #answer(request, closed) {
    const [target, search = ''] = request.url.split('?', 2);
    const path = target.split('/').filter((part) => part !== '');
    const [first, second, third] = path;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const query = new URLSearchParams(search);
    const route = `${method} ${first ?? ''} ${path.length}`;
    const call = { request, query, closed };
    if (route === 'GET healthz 2' && (second === 'live' || second === 'ready')) return this.#health(second);
    if (route === 'GET types 1')
      return { data: Object.fromEntries(this.#options.types.map((type) => [type, this.#options.classification])) };
    if (route === 'GET lookup 3') return this.#lookupOne(decoded(second), decoded(third), call);
    if (route === 'POST lookup 1') return this.#lookupBulk(call);
    if (route === 'GET actions 1') return this.#listActions(call);
    if (route === 'POST actions 2') return this.#runAction(decoded(second), call);
    if (route === 'GET fetchers 1') return { data: this.#fetcherSpecs() };
    if (route === 'POST fetchers 2') return this.#runFetcher(decoded(second), call);
    throw new PluginError(404, `There is no ${request.method} ${target}.`);
  }

  async #health(which) {
    const isWell = await this.#slots[which === 'live' ? 'liveness' : 'readiness']();
    if (isWell === false) throw new PluginError(503, 'FAIL');
    return 'OK';
  }

  /** Checks the token once for a request; functions get one only if there is `validateToken`. */
  async #identity({ request }) {
    const { validateToken } = this.#slots;
    if (validateToken === undefined) return {};
    const [scheme, token] = (request.headers.authorization ?? '').split(' ');
    if (scheme !== 'Bearer' || !token) throw new AuthenticationFailed('A Bearer token is needed.');
    const original = request.headers['x-clue-authorization'];
    try {
      const { user, claims } = (await validateToken(token)) ?? {};
      return { token, user, claims, ...(original ? { originalToken: original } : {}) };
    } catch (error) {
      if (error instanceof AuthenticationFailed) throw error;
      this.#options.log.error?.(error);
      throw new AuthenticationFailed(undefined, { cause: error });
    }
  }

  #params({ query, closed }) {
    const { maxLimit, maxTimeout: usual } = this.#options;
    const seconds = Date.now() / 1000;
    const maxTimeout = positive(query.get('max_timeout')) ?? usual;
    const deadline = positive(query.get('deadline')) ?? seconds + maxTimeout;
    if (deadline <= seconds) throw new PluginError(504, 'Deadline exceeded');
    const left = Math.min(Math.ceil((deadline - seconds) * 1000), 2 ** 31 - 1);
    return {
      limit: Math.min(Math.trunc(positive(query.get('limit')) ?? maxLimit), maxLimit),
      maxTimeout,
      deadline,
      annotate: !isSet(query, 'no_annotation'),
      raw: isSet(query, 'include_raw'),
      useCache: !isSet(query, 'no_cache'),
      signal: AbortSignal.any([AbortSignal.timeout(left), closed]),
    };
  }

  async #lookupOne(type, value, call) {
    const { lookup } = this.#slots;
    if (lookup === undefined || this.#options.types.length === 0)
      throw new InvalidData('This plugin does not look up.');
    const params = this.#params(call);
    const selector = readSelector({ type, value: decoded(decoded(value)) });
    this.#rejectOtherType(selector.type);
    const items = await this.#cached(selector, { ...params, ...(await this.#identity(call)) });
    return items.length === 0 ? { status: 404, data: [] } : { data: items };
  }

  #rejectOtherType(type) {
    if (!this.#options.types.includes(type)) throw new PluginError(422, `The type ${type} is not supported.`);
  }

  /** Looks a selector up, in the cache first; throws as the function of the plugin. */
  async #cached(selector, context) {
    const { cache, classification } = this.#options;
    const { limit, annotate, raw, user, signal } = context;
    const isPerUser = cache?.perUser ?? this.#slots.validateToken !== undefined;
    // Without a user there is nobody to whom the entry belongs.
    const store = isPerUser && user === undefined ? undefined : this.#store;
    const key = cacheKey({ ...selector, limit, annotate, raw, user: isPerUser ? user : undefined });
    const known = context.useCache ? await this.#whileWell(() => store?.get(key)) : undefined;
    if (known !== undefined) return known;
    const found = await within(signal, () => this.#slots.lookup(selector.type, selector.value, context));
    const entries = readEntries(found, classification).slice(0, limit);
    const items = entries.map(({ raw_data, annotations, ...entry }) => ({
      ...entry,
      annotations: annotate ? annotations : [],
      ...(raw && raw_data !== undefined ? { raw_data } : {}),
    }));
    if (items.length > 0) await this.#whileWell(() => store?.set(key, items, cache.ttl ?? 300));
    return items;
  }

  /** A cache that fails only costs time. */
  async #whileWell(use) {
    try {
      return await use();
    } catch (error) {
      this.#options.log.error?.(error);
      return undefined;
    }
  }

  async #lookupBulk(call) {
    const { lookup, bulk } = this.#slots;
    if ((lookup ?? bulk) === undefined || this.#options.types.length === 0) {
      throw new InvalidData('This plugin does not look up.');
    }
    const params = this.#params(call);
    const body = await readJson(call.request);
    if (!Array.isArray(body)) throw new PluginError(422, 'The body must be a list of selectors.');
    const selectors = body.map((given) => {
      try {
        return readSelector(given);
      } catch (error) {
        throw new PluginError(422, error.message);
      }
    });
    const context = { ...params, ...(await this.#identity(call)) };
    const offered = selectors.filter(({ type }) => this.#options.types.includes(type));
    const results =
      bulk === undefined ? await this.#lookUpAll(offered, context) : await this.#runBulk(bulk, offered, context);
    const data = Object.create(null);
    for (const { type, value } of selectors) {
      data[type] ??= Object.create(null);
      const unsupported = { error: `The type ${type} is not supported.`, items: [] };
      data[type][value] = this.#options.types.includes(type)
        ? (results.get(`${type} ${value}`) ?? { items: [] })
        : unsupported;
    }
    return { data };
  }

  async #lookUpAll(selectors, context) {
    const results = new Map();
    const waiting = selectors.values();
    const worker = async () => {
      for (const selector of waiting) {
        const key = `${selector.type} ${selector.value}`;
        try {
          results.set(key, { items: await this.#cached(selector, context) });
        } catch (error) {
          const { status, message } = failureOf(error);
          if (status === 500) this.#options.log.error?.(error);
          results.set(key, status === 404 ? { items: [] } : { error: message, items: [] });
        }
      }
    };
    await Promise.all(Array.from({ length: this.#options.concurrency }, worker));
    return results;
  }

  /** Runs the plugin's own function, whose failures concern the whole call. */
  async #runBulk(bulk, selectors, context) {
    const found = await within(context.signal, () => bulk(selectors, context));
    const results = new Map();
    for (const { type, value } of selectors) {
      const entry = found instanceof Map ? found.get(`${type} ${value}`) : found?.[type]?.[value];
      if (entry === undefined) continue;
      const items = readEntries(
        isObject(entry) && 'items' in entry ? entry.items : entry,
        this.#options.classification,
      );
      results.set(`${type} ${value}`, { items, ...(entry.error ? { error: entry.error } : {}) });
    }
    return results;
  }

  async #actions(identity) {
    const { actions = [] } = this.#slots;
    if (typeof actions !== 'function') return actions;
    try {
      return (await actions(identity)).map(checkAction);
    } catch (error) {
      this.#options.log.error?.(error);
      throw Object.assign(new PluginError(500, `The actions are not available: ${error.message}`), { data: {} });
    }
  }

  async #listActions(call) {
    const isDynamic = typeof this.#slots.actions === 'function';
    const actions = await this.#actions(isDynamic ? await this.#identity(call) : {});
    return {
      data: Object.fromEntries(actions.map((action) => [action.id, actionSpec(action, this.#options.classification)])),
    };
  }

  async #runAction(id, call) {
    if (this.#slots.actions === undefined) throw new InvalidData('This plugin has no actions.');
    const identity = await this.#identity(call);
    const action = (await this.#actions(identity)).find((one) => one.id === id);
    if (action === undefined) throw new PluginError(404, `There is no action ${id}.`);
    const { signal } = this.#params(call);
    try {
      const given = readActionRequest(action, await readJson(call.request));
      const result = readActionResult(await within(signal, () => action.run({ ...given, ...identity, signal })));
      return { data: result, message: result.outcome === 'failure' ? (result.summary ?? '') : '' };
    } catch (error) {
      const { status, message } = failureOf(error);
      if (status === 500) this.#options.log.error?.(error);
      return { data: { outcome: 'failure', summary: message }, message };
    }
  }

  #fetcherSpecs() {
    const { classification } = this.#options;
    return Object.fromEntries(
      (this.#slots.fetchers ?? []).map((fetcher) => [
        fetcher.id,
        {
          id: fetcher.id,
          classification: fetcher.classification ?? classification,
          description: fetcher.description,
          format: fetcher.format,
          supported_types: [...(fetcher.supportedTypes ?? [])].sort(),
          ...(fetcher.extraData === undefined ? {} : { extra_data: fetcher.extraData }),
        },
      ]),
    );
  }

  async #runFetcher(id, call) {
    const { fetchers } = this.#slots;
    if (fetchers === undefined) throw new InvalidData('This plugin has no fetchers.');
    const fetcher = fetchers.find((one) => one.id === id);
    if (fetcher === undefined) throw new PluginError(404, `There is no fetcher ${id}.`);
    const identity = await this.#identity(call);
    const { signal } = this.#params(call);
    let selector;
    try {
      selector = readSelector(await readJson(call.request));
    } catch (error) {
      throw new InvalidData(error.message);
    }
    try {
      const result = readFetcherResult(await within(signal, () => fetcher.run(selector, { ...identity, signal })));
      return { data: result, message: result.error ?? '' };
    } catch (error) {
      this.#options.log.error?.(error);
      const { message } = failureOf(error);
      throw Object.assign(new PluginError(500, message), {
        data: { outcome: 'failure', format: 'error', error: message },
      });
    }
  }
}

function checkFetcher(fetcher) {
  if (!/^[a-z_]/.test(fetcher?.id ?? '')) throw new TypeError(`The fetcher ${fetcher?.id} has no usable id.`);
  if (typeof fetcher.run !== 'function') throw new TypeError(`The fetcher ${fetcher.id} has no function run.`);
  for (const name of ['description', 'format']) {
    if (typeof fetcher[name] !== 'string') throw new TypeError(`The fetcher ${fetcher.id} has no ${name}.`);
  }
}

/** Runs a function until the signal aborts. */
async function within(signal, run) {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, (async () => run())()]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function isSet(query, name) {
  return ['true', '1', ''].includes(query.get(name)?.toLowerCase());
}

function positive(text) {
  const number = Number(text);
  return text !== null && text !== '' && number > 0 && Number.isFinite(number) ? number : undefined;
}

async function readJson(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY) throw new PluginError(413, `The body is longer than ${MAX_BODY} bytes.`);
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new InvalidData('The body is not JSON.');
  }
}

function sendEnvelope(response, { status = 200, message = '', data }) {
  const body = { api_response: data, api_error_message: message, api_status_code: status };
  send(response, status, 'application/json', JSON.stringify(body));
}

function send(response, status, type, body) {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
