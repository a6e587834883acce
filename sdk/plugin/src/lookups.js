import { cacheKey, memoryStore } from './cache.js';
import { failureOf, InvalidData, NotFound, PluginError, Unprocessable, withData } from './errors.js';
import { assertJson, decoded, readJson } from './http.js';
import { addressType, isObject, isSelector, readEntries } from './models.js';
import { within } from './within.js';

/** Looks selectors up with the functions of a plugin. */
export class Lookups {
  #plugin;
  #store;

  constructor(plugin) {
    const { cache } = plugin.options;
    this.#plugin = plugin;
    this.#store = cache === false ? undefined : (cache.store ?? memoryStore());
  }

  /** Answers `GET /lookup/<type>/<value>/`. */
  async one(type, value, call) {
    const { types } = this.#plugin.options;
    if (this.#plugin.slots.lookup === undefined || types.length === 0) {
      throw withData(new InvalidData('Enrichment is not supported by this plugin.'), {});
    }
    const params = this.#plugin.paramsOf(call);
    const selector = readPath(type, decoded(decoded(value)));
    if (!types.includes(selector.type)) {
      throw new Unprocessable(`Invalid type name: ${selector.type} [Valid types: ${types.join(', ')}].`);
    }
    const context = { ...params, ...(await this.#plugin.identityOf(call)) };
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
    const { cache, classification } = this.#plugin.options;
    const { limit, annotate, raw, user, signal } = context;
    const isPerUser = cache?.perUser ?? this.#plugin.slots.validateToken !== undefined;
    // Without a user there is nobody to whom the entry belongs.
    const store = isPerUser && user === undefined ? undefined : this.#store;
    const key = cacheKey({ ...selector, limit, annotate, raw, user: isPerUser ? user : undefined });
    const known = context.useCache ? await this.#whileWell(() => store?.get(key)) : undefined;
    if (known !== undefined) return known;
    const found = await within(signal, () => this.#plugin.slots.lookup(selector.type, selector.value, context));
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
      this.#plugin.options.log.error?.(error);
      return undefined;
    }
  }

  /** Answers `POST /lookup/`. */
  async bulk(call) {
    const { lookup, bulk } = this.#plugin.slots;
    const { types } = this.#plugin.options;
    if ((lookup ?? bulk) === undefined || types.length === 0) {
      throw withData(new InvalidData('Bulk enrichment is not supported by this plugin.'), {});
    }
    const params = this.#plugin.paramsOf(call);
    assertJson(call.request);
    // The service has normalised them: the answer has to name them as they came.
    const selectors = await readJson(call.request);
    if (!Array.isArray(selectors) || !selectors.every(isSelector)) {
      throw new Unprocessable('Request data is not in the correct format');
    }
    const context = { ...params, ...(await this.#plugin.identityOf(call)) };
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
          if (status === 500) this.#plugin.options.log.error?.(error);
          results.set(key, status === 404 ? { items: [] } : { error: message, items: [] });
        }
      }
    };
    await Promise.all(Array.from({ length: this.#plugin.options.concurrency }, worker));
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
        this.#plugin.options.classification,
      );
      results.set(`${type} ${value}`, { items, ...(entry.error ? { error: entry.error } : {}) });
    }
    return results;
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
