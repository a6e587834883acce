import { actionSpec, checkAction, readActionRequest } from './actions.js';
import { failureOf, InvalidData, PluginError, withData } from './errors.js';
import { readJson } from './http.js';
import { isObject, readActionResult, readFetcherResult, readSelector } from './models.js';
import { within } from './within.js';

/** Text of the public SDK. */
const NO_BODY = 'No request body specified.';

/** Lists and runs the actions and fetchers of a plugin. */
export class Offers {
  #plugin;

  constructor(plugin) {
    this.#plugin = plugin;
  }

  async #actions(identity) {
    const { actions = [] } = this.#plugin.slots;
    if (typeof actions !== 'function') return actions;
    try {
      return (await actions(identity)).map(checkAction);
    } catch (error) {
      this.#plugin.options.log.error?.(error);
      throw withData(new PluginError(500, 'Error on action setup.'), {});
    }
  }

  /** Answers `GET /actions/`. */
  async listActions(call) {
    const isDynamic = typeof this.#plugin.slots.actions === 'function';
    const actions = await this.#actions(isDynamic ? await this.#plugin.identityOf(call) : {});
    return {
      data: Object.fromEntries(
        actions.map((action) => [action.id, actionSpec(action, this.#plugin.options.classification)]),
      ),
    };
  }

  /** Answers `POST /actions/<id>`. */
  async runAction(id, call) {
    const { actions } = this.#plugin.slots;
    if (actions === undefined)
      throw withData(new InvalidData(`${this.#plugin.options.name} does not support any actions.`), {});
    const isDynamic = typeof actions === 'function';
    const asked = isDynamic ? await this.#plugin.identityOf(call) : undefined;
    const action = (await this.#actions(asked)).find((one) => one.id === id);
    if (action === undefined) throw withData(new PluginError(404, 'Action does not exist'), {});
    const identity = asked ?? (await this.#plugin.identityOf(call));
    const { signal } = this.#plugin.paramsOf(call);
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
    if (status === 500) this.#plugin.options.log.error?.(error);
    const isKnown = status !== 500 || error instanceof PluginError;
    return `${isKnown ? 'Error encountered' : 'An unknown error occurred'} during execution: ${message}`;
  }

  /** Answers `GET /fetchers/`. */
  listFetchers() {
    const { options, slots } = this.#plugin;
    return {
      data: Object.fromEntries((slots.fetchers ?? []).map((one) => [one.id, fetcherSpec(one, options.classification)])),
    };
  }

  /** Answers `POST /fetchers/<id>`. */
  async runFetcher(id, call) {
    const { fetchers } = this.#plugin.slots;
    if (!fetchers?.length)
      throw withData(new InvalidData(`${this.#plugin.options.name} does not support any fetchers.`), {});
    const fetcher = fetchers.find((one) => one.id === id);
    if (fetcher === undefined) throw withData(new PluginError(404, `Fetcher ${id} does not exist`), {});
    const identity = await this.#plugin.identityOf(call);
    const { signal } = this.#plugin.paramsOf(call);
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

/** Checks a fetcher. Throws when its definition cannot be listed. */
export function checkFetcher(fetcher) {
  if (!/^[a-z_]/.test(fetcher?.id ?? '')) throw new TypeError(`The fetcher ${fetcher?.id} has no usable id.`);
  if (typeof fetcher.run !== 'function') throw new TypeError(`The fetcher ${fetcher.id} has no function run.`);
  for (const name of ['description', 'format']) {
    if (typeof fetcher[name] !== 'string') throw new TypeError(`The fetcher ${fetcher.id} has no ${name}.`);
  }
}

function fetcherSpec({ id, classification, description, format, supportedTypes = [], extraData }, usual) {
  return {
    ...{ id, description, format, classification: classification ?? usual },
    supported_types: [...supportedTypes].sort(),
    ...(extraData === undefined ? {} : { extra_data: extraData }),
  };
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

function failedFetcher(status, error) {
  return withData(new PluginError(status, error), { outcome: 'failure', format: 'error', error });
}
