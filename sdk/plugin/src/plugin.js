import { createServer } from 'node:http';
import { actionSpec, checkAction, readActionRequest } from './actions.js';
import { cacheKey, memoryStore } from './cache.js';
import { AuthenticationFailed, failureOf, InvalidData, NotFound, PluginError, Unprocessable } from './errors.js';
import { assertJson, decoded, isSet, positive, readJson, send, sendEnvelope } from './http.js';
import {
  addressType,
  isObject,
  isSelector,
  readActionResult,
  readEntries,
  readFetcherResult,
  readSelector,
} from './models.js';

const SLOTS = ['lookup', 'bulk', 'actions', 'fetchers', 'validateToken', 'liveness', 'readiness'];
/** Lookups of one bulk request that run at the same time. */
const CONCURRENCY = 16;
const MAX_LIMIT = 100;
/** Texts of the public SDK. */
const NO_BODY = 'No request body specified.';
const NO_TOKEN = 'No bearer token was provided. Please provide a Bearer token in the Authorization header';

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
    const [first = '', second, third] = path;
    const call = { request, query: new URLSearchParams(search), closed };
    const routes = {
      'healthz 2': { GET: ['live', 'ready'].includes(second) ? () => this.#health(second) : undefined },
      'types 1': { GET: () => this.#types() },
      'lookup 3': { GET: () => this.#lookupOne(decoded(second), decoded(third), call) },
      'lookup 1': { POST: () => this.#lookupBulk(call) },
      'actions 1': { GET: () => this.#listActions(call) },
      'actions 2': { POST: () => this.#runAction(decoded(second), call) },
      'fetchers 1': { GET: () => ({ data: this.#fetcherSpecs() }) },
      'fetchers 2': { POST: () => this.#runFetcher(decoded(second), call) },
    };
    const route = routes[`${first} ${path.length}`] ?? {};
    const allowed = Object.keys(route).filter((method) => route[method] !== undefined);
    if (allowed.length === 0) throw new PluginError(404, `There is no ${target}.`);
    const allow = [...allowed, ...(route.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    const { method } = request;
    if (method === 'OPTIONS') return { data: {}, headers: { allow } };
    const handle = route[method === 'HEAD' ? 'GET' : method];
    if (handle !== undefined) return handle();
    return { status: 405, message: `${target} takes ${allow}.`, data: null, headers: { allow } };
  }

  #types() {
    const { types, classification } = this.#options;
    return { data: Object.fromEntries(types.map((type) => [type, classification])) };
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
    if (scheme !== 'Bearer' || !token) throw tokenRefused(NO_TOKEN);
    const original = request.headers['x-clue-authorization'];
    try {
      const { user, claims } = (await validateToken(token)) ?? {};
      return { token, user, claims, ...(original ? { originalToken: original } : {}) };
    } catch (error) {
      if (error instanceof AuthenticationFailed) throw tokenRefused(error.message, error);
      this.#options.log.error?.(error);
      throw tokenRefused('The token is not valid.', error);
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
    const { types } = this.#options;
    if (this.#slots.lookup === undefined || types.length === 0) {
      throw withData(new InvalidData('Enrichment is not supported by this plugin.'), {});
    }
    const params = this.#params(call);
    const selector = readPath(type, decoded(decoded(value)));
    if (!types.includes(selector.type)) {
      throw new Unprocessable(`Invalid type name: ${selector.type} [Valid types: ${types.join(', ')}].`);
    }
    const context = { ...params, ...(await this.#identity(call)) };
    try {
      return { data: await this.#cached(selector, context) };
    } catch (error) {
      throw this.#lookupFailure(error);
    }
  }

  /** Returns what a failed function means for the whole answer. */
  #lookupFailure(error) {
    const { status, message } = failureOf(error);
    if (status === 404) return withData(new NotFound(), []);
    if (status !== 500) return error;
    return new PluginError(500, `Something went wrong when enriching: ${message}`, { cause: error });
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
    if (found === undefined || found === null) throw new NotFound();
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
    const { types } = this.#options;
    if ((lookup ?? bulk) === undefined || types.length === 0) {
      throw withData(new InvalidData('Bulk enrichment is not supported by this plugin.'), {});
    }
    const params = this.#params(call);
    assertJson(call.request);
    // The service has normalised them: the answer has to name them as they came.
    const selectors = await readJson(call.request);
    if (!Array.isArray(selectors) || !selectors.every(isSelector)) {
      throw new Unprocessable('Request data is not in the correct format');
    }
    const context = { ...params, ...(await this.#identity(call)) };
    const offered = selectors.filter(({ type }) => types.includes(type));
    const results =
      bulk === undefined ? await this.#lookUpAll(offered, context) : await this.#runBulk(bulk, offered, context);
    const data = Object.create(null);
    for (const { type, value } of selectors) {
      data[type] ??= Object.create(null);
      const unsupported = { error: `Invalid type name: ${type}. [valid types: ${types.join(', ')}]`, items: [] };
      data[type][value] = types.includes(type) ? (results.get(`${type} ${value}`) ?? { items: [] }) : unsupported;
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
    const found = await within(context.signal, () => bulk(selectors, context)).catch((error) => {
      throw this.#lookupFailure(error);
    });
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
      throw withData(new PluginError(500, 'Error on action setup.'), {});
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
    const { actions } = this.#slots;
    if (actions === undefined) throw withData(new InvalidData(`${this.name} does not support any actions.`), {});
    const isDynamic = typeof actions === 'function';
    const asked = isDynamic ? await this.#identity(call) : undefined;
    const action = (await this.#actions(asked)).find((one) => one.id === id);
    if (action === undefined) throw withData(new PluginError(404, 'Action does not exist'), {});
    const identity = asked ?? (await this.#identity(call));
    const { signal } = this.#params(call);
    try {
      const given = await readRequest(action, call.request);
      const result = readActionResult(await within(signal, () => action.run({ ...given, ...identity, signal })));
      return { data: result, message: result.outcome === 'failure' ? (result.summary ?? '') : '' };
    } catch (error) {
      const summary = error.isOfRequest ? error.message : this.#executionFailure(error);
      return { data: { outcome: 'failure', summary }, message: summary };
    }
  }

  /** Logs what a function threw that knows no better; returns the text of the public SDK for it. */
  #executionFailure(error) {
    const { status, message } = failureOf(error);
    if (status === 500) this.#options.log.error?.(error);
    const isKnown = status !== 500 || error instanceof PluginError;
    return `${isKnown ? 'Error encountered' : 'An unknown error occurred'} during execution: ${message}`;
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
    if (!fetchers?.length) throw withData(new InvalidData(`${this.name} does not support any fetchers.`), {});
    const fetcher = fetchers.find((one) => one.id === id);
    if (fetcher === undefined) throw withData(new PluginError(404, `Fetcher ${id} does not exist`), {});
    const identity = await this.#identity(call);
    const { signal } = this.#params(call);
    let selector;
    try {
      const body = await readJson(call.request);
      if (isEmpty(body)) throw new InvalidData(NO_BODY);
      selector = readSelector(body);
    } catch (error) {
      throw failedFetcher(400, error.message);
    }
    try {
      const result = readFetcherResult(await within(signal, () => fetcher.run(selector, { ...identity, signal })));
      return { data: result, message: result.error ?? '' };
    } catch (error) {
      throw failedFetcher(500, this.#executionFailure(error));
    }
  }
}

/** Reads a selector of an address, whose type only `ip` does not name. @throws Unprocessable */
function readPath(type, value) {
  try {
    return { type: addressType(type, value), value };
  } catch (error) {
    throw new Unprocessable(error.message);
  }
}

/** Reads the request of an action. What it throws says what is wrong with the request. */
async function readRequest(action, request) {
  const refuse = (message) => Object.assign(new InvalidData(message), { isOfRequest: true });
  let body;
  try {
    body = await readJson(request);
    if (!isEmpty(body)) return readActionRequest(action, body);
  } catch (error) {
    throw refuse(`Validation error on execution: ${error.message}`);
  }
  throw refuse(NO_BODY);
}

function isEmpty(body) {
  return body === undefined || body === null || (isObject(body) && Object.keys(body).length === 0);
}

function tokenRefused(reason, cause) {
  return new AuthenticationFailed(`Error on token validation: ${reason}`, { cause });
}

function failedFetcher(status, error) {
  return withData(new PluginError(status, error), { outcome: 'failure', format: 'error', error });
}

/** Gives an error the data of its answer, in place of null. */
function withData(error, data) {
  return Object.assign(error, { data });
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
