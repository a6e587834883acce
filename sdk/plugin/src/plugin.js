import { createServer } from 'node:http';
import { checkAction } from './actions.js';
import { AuthenticationFailed, failureOf, PluginError } from './errors.js';
import { decoded, isSet, positive, send, sendEnvelope } from './http.js';
import { Lookups } from './lookups.js';
import { checkFetcher, Offers } from './offers.js';

const SLOTS = ['lookup', 'bulk', 'actions', 'fetchers', 'validateToken', 'liveness', 'readiness'];
/** Lookups of one bulk request that run at the same time. */
const CONCURRENCY = 16;
const MAX_LIMIT = 100;
/** Text of the public SDK. */
const NO_TOKEN = 'No bearer token was provided. Please provide a Bearer token in the Authorization header';

/** Creates a plugin. See index.d.ts. */
export function createPlugin(options) {
  return new Plugin(options);
}

class Plugin {
  #options;
  #slots;
  #lookups;
  #offers;

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
    const shared = {
      options: this.#options,
      slots: this.#slots,
      paramsOf: (call) => this.#params(call),
      identityOf: (call) => this.#identity(call),
    };
    this.#lookups = new Lookups(shared);
    this.#offers = new Offers(shared);
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
      'lookup 3': { GET: () => this.#lookups.one(decoded(second), decoded(third), call) },
      'lookup 1': { POST: () => this.#lookups.bulk(call) },
      'actions 1': { GET: () => this.#offers.listActions(call) },
      'actions 2': { POST: () => this.#offers.runAction(decoded(second), call) },
      'fetchers 1': { GET: () => this.#offers.listFetchers() },
      'fetchers 2': { POST: () => this.#offers.runFetcher(decoded(second), call) },
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
}

function tokenRefused(reason, cause) {
  return new AuthenticationFailed(`Error on token validation: ${reason}`, { cause });
}
