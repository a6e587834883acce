import { type InputSchema, isObject, mapValue } from '../input/input-reader.ts';
import { parseJson } from './setting-kinds.ts';
import { keyOfVariable, listSettings } from './setting-list.ts';

type Values = Readonly<Record<string, unknown>>;

/** Sections of a `config.yml` of Howler. Howler ignores unknown keys inside them. */
const SECTIONS: ReadonlySet<string> = new Set(['auth', 'core', 'datastore', 'discovery', 'logging', 'system', 'ui']);

const NO_WORKERS = 'Triggers and case rules do not run yet.';
const ONE_LOG = 'The log goes to standard output.';
const OWN_SESSIONS = 'Not needed: the alert service has no sessions in cookies.';

/** Keys of Howler 4.1 without a meaning here, and why. Keys that are settings here are left out. */
export const HOWLER_KEYS: Readonly<Record<string, string>> = {
  'auth.hmac_secret_key': 'Not needed: remembered credentials never leave the process.',
  'core.plugins': 'Plugins of Howler are Python modules and are not loaded.',
  'core.redis.nonpersistent': 'Not used: `core.redis.persistent` holds everything.',
  'core.redis.persistent.tls_ca_cert': 'Put the certificate into the folder `cert_directory`.',
  'core.redis.persistent.tls_disable_check_hostname': 'The host name in a certificate is always checked.',
  'core.redis.persistent.is_cluster': 'Redis Cluster is not supported.',
  'core.telemetry': 'No traces are exported.',
  'logging.log_to_console': ONE_LOG,
  'logging.log_to_file': ONE_LOG,
  'logging.log_directory': ONE_LOG,
  'logging.log_to_syslog': ONE_LOG,
  'logging.syslog_host': ONE_LOG,
  'logging.syslog_port': ONE_LOG,
  'logging.export_interval': 'Not needed: `/metrics` has the current counters.',
  'system.encryption_key': NO_WORKERS,
  'system.correlation': NO_WORKERS,
  'system.action_queue': NO_WORKERS,
  'ui.debug': 'There is no debug mode.',
  'ui.static_folder': 'No static files are served.',
  'ui.secret_key': OWN_SESSIONS,
  'ui.validate_session_ip': OWN_SESSIONS,
  'ui.validate_session_useragent': OWN_SESSIONS,
  'ui.websocket_url': 'Not needed: processes share events through Redis.',
};

export interface HowlerConfig {
  /** Settings under the keys of this program. */
  readonly values: Values;
  /** Keys of the file that were left out. */
  readonly ignored: readonly string[];
}

/**
 * Translates the `config.yml` of Howler 4.1 (contract/alert.md 9.3); undefined if it is not one.
 * A file is one if it has a key that only Howler has. Unknown keys inside the sections of Howler are left out.
 */
export function readHowlerConfig(keys: Values, schema: InputSchema): HowlerConfig | undefined {
  const ignored: string[] = [];
  const translated = withCoordination(withHosts(keys), ignored);
  const values = Object.entries(translated).map(([name, value]) => {
    const section = SECTIONS.has(name) ? schema.properties?.[name] : undefined;
    return [name, section === undefined ? value : knownMembers(section, value, name, ignored)];
  });
  if (translated === keys && !ignored.some(isHowlerKey)) return undefined;
  return { values: Object.fromEntries(values), ignored };
}

function isHowlerKey(key: string): boolean {
  return Object.keys(HOWLER_KEYS).some((one) => one === key || one.startsWith(`${key}.`));
}

/** Replaces scheme and host of search engine nodes by their address. */
function withHosts(keys: Values): Values {
  const { datastore } = keys;
  if (!isObject(datastore) || !Array.isArray(datastore.hosts)) return keys;
  let found = false;
  const hosts = datastore.hosts.map((node: unknown) => {
    if (!isObject(node) || node.host === undefined) return node;
    found = true;
    const { scheme, host, ...rest } = node;
    return { url: `${scheme ?? 'http'}://${host}`, ...rest };
  });
  if (!found) return keys;
  return { ...keys, datastore: { type: 'elasticsearch', index_prefix: 'howler', ...datastore, hosts } };
}

/** Replaces `core.redis` by `coordination`: the persistent server holds everything. */
function withCoordination(keys: Values, ignored: string[]): Values {
  const { core } = keys;
  if (!isObject(core) || !isObject(core.redis)) return keys;
  const { redis, ...rest } = core;
  const { persistent, ...others } = redis as Values;
  const server: Values = isObject(persistent) ? persistent : {};
  const { host = '127.0.0.1', port = 6380, password, tls_enabled, ...unused } = server;
  ignored.push(...Object.keys(others).map((name) => `core.redis.${name}`));
  ignored.push(...Object.keys(unused).map((name) => `core.redis.persistent.${name}`));
  const scheme = String(tls_enabled) === 'true' ? 'rediss' : 'redis';
  const credentials = password ? `:${encodeURIComponent(String(password))}@` : '';
  const coordination = { type: 'redis', url: `${scheme}://${credentials}${host}:${port}` };
  const given = isObject(keys.coordination) ? keys.coordination : {};
  return { ...keys, core: rest, coordination: { ...coordination, ...given } };
}

/** Returns the value without members that its schema does not describe, whose keys go to `ignored`. */
function knownMembers(schema: InputSchema, value: unknown, at: string, ignored: string[]): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((one) => knownMembers(items, one, `${at}[]`, ignored));
  }
  const { properties } = schema;
  const ofMap = mapValue(schema);
  if (!isObject(value) || (properties === undefined && ofMap === undefined)) return value;
  const members = Object.entries(value).flatMap(([name, given]) => {
    const member = ofMap ?? (Object.hasOwn(properties ?? {}, name) ? properties?.[name] : undefined);
    if (member !== undefined) return [[name, knownMembers(member, given, `${at}.${name}`, ignored)]];
    ignored.push(`${at}.${name}`);
    return [];
  });
  return Object.fromEntries(members);
}

/** The variables of Howler: `HWL_DATASTORE__ILM__ENABLED`, `HWL_DATASTORE_INDEX_PREFIX`. */
export interface HowlerVariables {
  /** The keys of `config.yml` with the values of the variables, which win. */
  readonly keys: Values;
  readonly used: readonly string[];
  /** Variables without a meaning here. */
  readonly ignored: readonly string[];
}

/** Variables that are read elsewhere. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set(['HWL_CLASSIFICATION_PATH']);

/** Puts the `HWL_…` variables over the keys of a `config.yml`. */
export function readHowlerVariables(
  file: Values,
  environment: Readonly<Record<string, string | undefined>>,
  schema: InputSchema,
): HowlerVariables {
  const settings = listSettings(schema);
  const used: string[] = [];
  const ignored: string[] = [];
  let keys = file;
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith('HWL_') || !value || READ_ELSEWHERE.has(variable)) continue;
    const name = variable.slice('HWL_'.length);
    const path = name.toLowerCase().split('__');
    const key = SECTIONS.has(path[0] ?? '') ? path : keyOfVariable(`SVC_${name}`, settings)?.split('.');
    (key === undefined ? ignored : used).push(variable);
    if (key !== undefined) keys = withValue(keys, key, value);
  }
  return { keys, used, ignored };
}

/** Returns the keys with a value at a path; JSON stands for what it describes. */
function withValue(keys: Values, [name = '', ...rest]: readonly string[], value: string): Values {
  const below = keys[name];
  if (rest.length > 0) return { ...keys, [name]: withValue(isObject(below) ? below : {}, rest, value) };
  return { ...keys, [name]: /^\s*[[{]/.test(value) ? (parseJson(value) ?? value) : value };
}
