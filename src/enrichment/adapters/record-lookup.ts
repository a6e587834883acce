import { DEFAULT_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import { InvalidInput, messageOf } from '../../errors/errors.ts';
import { bodyText } from '../sources/http/answer-body.ts';
import type { OwnSource } from '../sources/own-source.ts';
import { sourceFailure } from '../sources/source-failure.ts';
import { openAdapters } from './open-adapters.ts';
import { vendorValue } from './selector-value.ts';
import type { Exchange } from './vendor-access.ts';

export interface RecordedLookup {
  /** The requests and answers as JSON, without secrets, as tests of adapters play them. */
  readonly text: string;
  /** Why the lookup failed; undefined when the source has an answer. */
  readonly error: string | undefined;
}

const FLAGS = { limit: 10, maxTimeout: 30, noAnnotation: false, includeRaw: false, noCache: true };
/** Headers of answers that adapters read; others may identify the account. */
const KEPT_HEADERS = ['content-type', 'retry-after', 'x-rate-limit-reset-after'];
/** Placeholders for the key and for the addresses of other servers in recordings. */
const KEY = '<key>';
const SERVER = '{server}';

/**
 * Asks a vendor for a value with the configured key, and returns the requests and answers.
 * @param name a source of `enrichment.adapters`
 * @param given the type; undefined: the first of the adapter that the value fits
 * @throws InvalidInput `invalid_setting`, `invalid_selector`
 */
export async function recordLookup(
  { enrichment, classification }: Pick<Config, 'enrichment' | 'classification'>,
  { name, value, type: given }: { readonly name: string; readonly value: string; readonly type: string | undefined },
  signal: AbortSignal,
): Promise<RecordedLookup> {
  const settings = Object.hasOwn(enrichment.adapters, name) ? enrichment.adapters[name] : undefined;
  if (settings === undefined) {
    const names = Object.keys(enrichment.adapters).join(', ') || 'none';
    throw new InvalidInput('invalid_setting', `enrichment.adapters has no source "${name}". There are: ${names}.`);
  }
  const exchanges: Exchange[] = [];
  const sources = openAdapters({
    adapters: { [name]: { ...settings, enabled: true } },
    keys: {},
    ...(Object.hasOwn(enrichment.adapter_keys, name) ? { keys: { [name]: enrichment.adapter_keys[name] ?? '' } } : {}),
    engine: loadClassification(classification?.text ?? DEFAULT_CLASSIFICATION),
    // A missing key is the error of the lookup.
    log: { warn: () => undefined },
    onExchange: (exchange) => exchanges.push(exchange),
  });
  const [source] = sources as readonly [OwnSource];
  const types = Object.keys(source.source.types());
  const type = types.find((one) => (given === undefined || one === given) && vendorValue(one, value) !== undefined);
  if (type === undefined) {
    const allowed =
      given === undefined ? `a value of one of its types: ${types.join(', ')}` : `a value of type ${given}`;
    throw new InvalidInput('invalid_selector', `"${value}" is not accepted by ${name}: it has to be ${allowed}.`);
  }
  const deadline = Date.now() + settings.default_timeout * 1_000;
  const call = { signal, deadline, caller: { username: '', classification: '' } };
  const error = await source.source.lookup([{ type, value, classification: '' }], FLAGS, call).then(
    () => undefined,
    (thrown: unknown) => sourceFailure(thrown).pluginMessage ?? messageOf(thrown),
  );
  await source.close?.();
  const own = source.settings?.url ?? '';
  const recorded = await Promise.all(exchanges.map((exchange) => recordedExchange(exchange, own)));
  const others = exchanges.flatMap(({ base }) => (base === own ? [] : new URL(base).origin));
  const key = enrichment.adapter_keys[name] || settings.api_key || undefined;
  return { error, text: withoutSecrets({ type, value, exchanges: recorded }, key, others) };
}

async function recordedExchange({ base, request, answer }: Exchange, own: string) {
  const below = base === own ? new URL(base).pathname.replace(/\/+$/, '').length : 0;
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = answer.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return {
    request: { method: request.method, path: request.path.slice(below), body: request.body },
    answer: { status: answer.status, headers: Object.fromEntries(headers), body: jsonOr(await bodyText(answer)) },
  };
}

/** Returns JSON without the key in any of its written forms, and with a placeholder for other servers. */
function withoutSecrets(recording: unknown, key: string | undefined, servers: readonly string[]): string {
  let text = JSON.stringify(recording, null, 2);
  for (const server of servers) text = text.replaceAll(server, SERVER);
  if (key === undefined) return text;
  const query = new URLSearchParams({ key }).toString().slice('key='.length);
  const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), query];
  for (const form of new Set(forms)) text = text.replaceAll(form, KEY);
  return text;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
