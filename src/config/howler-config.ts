import { InputProblem, type InputSchema, inputReader, isObject, mapValue } from '../input/input-reader.ts';
import { choice, integer, onOff, optionalText, parseJson, section, text } from './setting-kinds.ts';
import { keyOfVariable, listSettings, nested } from './setting-list.ts';
import { settingRefusal } from './setting-refusals.ts';

type Values = Readonly<Record<string, unknown>>;

/** Sections of a `config.yml` of Howler. Howler ignores unknown keys inside them. */
const SECTIONS: ReadonlySet<string> = new Set(['auth', 'core', 'datastore', 'discovery', 'logging', 'system', 'ui']);

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
  'system.encryption_key': 'Not needed: queues hold no tokens of users.',
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
 * @param place what messages name: the path of the file
 * @throws InvalidInput `invalid_setting` with the key of Howler whose value cannot be translated
 */
export function readHowlerConfig(keys: Values, schema: InputSchema, place: string): HowlerConfig | undefined {
  const ignored: string[] = [];
  const translated = withCoordination(withHosts(keys, place), place, ignored);
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

const readAddress = inputReader(
  section({
    scheme: choice(['http', 'https'], 'Scheme of a search engine.', 'http'),
    host: text('Host and port of a search engine.', '', {
      pattern: '^\\S+$',
      allowed: 'a host with its port, such as elasticsearch:9200',
    }),
  }),
);

/** Replaces scheme and host of search engine nodes by their address. */
function withHosts(keys: Values, place: string): Values {
  const { datastore } = keys;
  if (!isObject(datastore) || !Array.isArray(datastore.hosts)) return keys;
  let found = false;
  const hosts = datastore.hosts.map((node: unknown, index) => {
    if (!isObject(node) || !('host' in node)) return node;
    found = true;
    const { scheme, host, ...rest } = node;
    const address = readAddress({ scheme, host });
    if (address instanceof InputProblem) throw settingRefusal(address, place, `datastore.hosts[${index}]`);
    return { url: `${address.scheme}://${address.host}`, ...rest };
  });
  if (!found) return keys;
  return { ...keys, datastore: { type: 'elasticsearch', index_prefix: 'howler', ...datastore, hosts } };
}

const redisServer = section({
  host: text('Host of the Redis server.', '127.0.0.1', { pattern: '^[^\\s/@]+$', allowed: 'the name of a host' }),
  port: integer('Its port.', 6380, { minimum: 1, maximum: 65_535 }),
  password: optionalText('Its password.'),
  tls_enabled: onOff('Whether it is reached by TLS.', false),
});
const readRedisServer = inputReader(redisServer);

/** Replaces `core.redis` by `coordination`: the persistent server holds everything. */
function withCoordination(keys: Values, place: string, ignored: string[]): Values {
  const { core } = keys;
  if (!isObject(core) || core.redis === undefined || core.redis === null) return keys;
  const { redis, ...rest } = core;
  const at = isObject(redis) ? 'core.redis.persistent' : 'core.redis';
  const { persistent, ...others } = isObject(redis) ? redis : { persistent: redis };
  ignored.push(...Object.keys(others).map((name) => `core.redis.${name}`));
  const server = readRedisServer(knownMembers(redisServer, persistent, at, ignored));
  if (server instanceof InputProblem) throw settingRefusal(server, place, at);
  const credentials = server.password ? `:${encodeURIComponent(server.password)}@` : '';
  const host = server.host.includes(':') ? `[${server.host}]` : server.host;
  const url = `${server.tls_enabled ? 'rediss' : 'redis'}://${credentials}${host}:${server.port}`;
  const given = isObject(keys.coordination) ? keys.coordination : {};
  return { ...keys, core: rest, coordination: { type: 'redis', url, ...given } };
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

/** The variables of Howler: `HWL_SYSTEM__TYPE`, `HWL_DATASTORE_INDEX_PREFIX`, `SCHEDULER_TZ`. */
export interface HowlerVariables {
  /** The keys of `config.yml` with the values of the variables, which win. */
  readonly keys: Values;
  readonly used: readonly string[];
  /** Variables without a meaning here. */
  readonly ignored: readonly string[];
}

/** Settings of variables that are named differently here. */
const RENAMED: Readonly<Record<string, string>> = {
  HWL_INTERPOD_COMMS_SECRET: 'alerts.emit_secret',
  SCHEDULER_TZ: 'system.time_zone',
};

/** Variables that are read elsewhere. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set(['HWL_CLASSIFICATION_PATH']);

/** Merges the variables of Howler over the keys of a `config.yml`. Empty variables count as not set. */
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
    const isHowler = variable.startsWith('HWL_') || Object.hasOwn(RENAMED, variable);
    if (!isHowler || !value || READ_ELSEWHERE.has(variable)) continue;
    const name = variable.slice('HWL_'.length);
    const path = name.toLowerCase().split('__');
    const key = SECTIONS.has(path[0] ?? '')
      ? path.join('.')
      : (RENAMED[variable] ?? keyOfVariable(`SVC_${name}`, settings));
    (key === undefined ? ignored : used).push(variable);
    if (key !== undefined) keys = merged(keys, nested(key, parsedValue(value)));
  }
  return { keys, used, ignored };
}

/** JSON stands for what it describes. */
function parsedValue(text: string): unknown {
  return /^\s*[[{]/.test(text) ? (parseJson(text) ?? text) : text;
}

/** Merges mappings key by key, as Howler does; `over` wins. */
function merged(under: Values, over: Values): Values {
  const values = Object.entries(over).map(([name, value]) => {
    const below = Object.hasOwn(under, name) ? under[name] : undefined;
    return [name, isObject(below) && isObject(value) ? merged(below, value) : value];
  });
  return { ...under, ...Object.fromEntries(values) };
}
