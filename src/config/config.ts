import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InvalidInput } from '../errors/errors.ts';
import { InputProblem, type InputSchema, inputReader, isObject, mapValue } from '../input/input-reader.ts';
import { findConfFolder, readTextFile, readYamlFile, type TextFile } from './config-files.ts';
import { configSchema, type Settings } from './config-schema.ts';
import { readHowlerConfig, readHowlerVariables } from './howler-config.ts';
import { keyOfVariable, listSettings, nested } from './setting-list.ts';
import { type SettingOrigins, settingOrigins } from './setting-origins.ts';
import { settingRefusal, unknownSetting } from './setting-refusals.ts';

/** The settings of a run, complete and checked. */
export interface Config extends Readonly<Settings> {
  /** Folder of the configuration files. */
  readonly conf_folder: string;
  /** The file classification.yml, if it exists. */
  readonly classification: TextFile | undefined;
  /** Folder of the lists for the web interface; may be missing. */
  readonly lookup_folder: string;
  /** Keys of config.yml, and variables, of Howler that have no meaning here. */
  readonly ignored_settings: readonly string[];
  /** Variables with the prefix of settings that an orchestrator set for a service of that name. */
  readonly ignored_variables: readonly string[];
  /** Places that set something, by key of the setting. */
  readonly setting_origins: SettingOrigins;
}

export interface ConfigSources {
  /** Environment variables of the process. Empty variables count as not set. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Settings of the command line by key, `alerts.port`; they win over everything. */
  readonly flags?: Readonly<Record<string, unknown>>;
}

/** Variables that are not keys of config.yml. */
export const SPECIAL_VARIABLES: Readonly<Record<string, string>> = {
  SVC_CONF_FOLDER:
    'Folder of config.yml, mappings.yml, classification.yml and lookups/*.yml (lists for the web interface, each under its file name). Default: `./conf` where it exists, else `/etc/svc/conf`.',
};

/** Reads flags, variables, files, the first wins; throws `unknown_setting`, `invalid_setting`. */
export function loadConfig({ environment, flags = {} }: ConfigSources): Config {
  const conf_folder = findConfFolder(environment);
  const files = readFiles(conf_folder, environment);
  const layers = [...files.layers, ...variableLayers(environment), ...flagLayers(flags)];
  // Every layer is checked by itself, so that a message names the place of the mistake.
  for (const layer of layers) readSettings(layer.values, layer.place);
  const merged = layers.reduce<Record<string, unknown>>(
    (all, { values, whole }) => (whole ? Object.assign(all, values) : merge(configSchema, all, values)),
    {},
  );
  const settings = readSettings(merged, 'configuration');
  const { public_url } = settings.http;
  return {
    ...settings,
    web: { ...settings.web, public_url: settings.web.public_url ?? public_url },
    alerts: { ...settings.alerts, public_url: settings.alerts.public_url ?? public_url },
    analysis: { ...settings.analysis, public_url: settings.analysis.public_url ?? public_url },
    enrichment: { ...settings.enrichment, public_url: settings.enrichment.public_url ?? public_url },
    datastore: {
      ...settings.datastore,
      hosts: settings.datastore.hosts.map((host) => withCredentials(host, environment)),
    },
    auth: {
      ...settings.auth,
      oauth: withClientCredentials(settings.auth.oauth, environment),
      service_account: withPasswords(settings.auth.service_account, environment),
    },
    conf_folder,
    classification: readClassification(conf_folder, files.isHowler, environment.HWL_CLASSIFICATION_PATH),
    lookup_folder: lookupFolder(conf_folder, files.isHowler),
    ignored_settings: files.ignored,
    ignored_variables: Object.entries(environment)
      .filter(isInjected)
      .map(([variable]) => variable),
    setting_origins: settingOrigins(
      layers,
      listSettings(configSchema).map(({ key }) => key),
    ),
  };
}

const readAll = inputReader(configSchema);

function readSettings(values: unknown, place: string): Settings {
  const settings = readAll(values);
  if (settings instanceof InputProblem) throw settingRefusal(settings, place);
  return settings;
}

type Values = Readonly<Record<string, unknown>>;

interface Layer {
  readonly place: string;
  readonly values: Values;
  /** Its top-level keys replace those of the layers below. Default: they are merged. */
  readonly whole?: boolean;
}

/** Reads the files, which may be those of Howler; its variables count with them. */
function readFiles(folder: string, environment: Environment) {
  const config = readYamlFile(folder, 'config.yml');
  const variables = readHowlerVariables(config.keys, environment, configSchema);
  const place = variables.used.length === 0 ? config.path : `${config.path} with ${variables.used.join(', ')}`;
  const howler = readHowlerConfig(variables.keys, configSchema, place);
  // The mappings.yml of the public system repeats keys.
  const mappings = readYamlFile(folder, 'mappings.yml', { repeated: true });
  for (const key of Object.keys(mappings.keys)) {
    if (key !== 'mapping') {
      throw new InvalidInput('unknown_setting', `${mappings.path}: ${key} is not known there. Allowed: mapping.`, {
        at: key,
      });
    }
  }
  const layers: readonly Layer[] = [
    { place, values: howler?.values ?? variables.keys },
    // As in the public system (contract/alert.md section 9.2).
    { place: mappings.path, values: mappings.keys, whole: true },
  ];
  return { layers, isHowler: howler !== undefined, ignored: [...(howler?.ignored ?? []), ...variables.ignored] };
}

/** Howler also looks for the definition, and for lists, beside its folder `conf`. */
function readClassification(folder: string, isHowler: boolean, named: string | undefined): TextFile | undefined {
  if (named) {
    const file = readTextFile('', named);
    if (file) return file;
    throw new InvalidInput('invalid_setting', `HWL_CLASSIFICATION_PATH: the file ${named} does not exist.`);
  }
  const own = readTextFile(folder, 'classification.yml');
  return own ?? (isHowler ? readTextFile(dirname(folder), 'classification.yml') : undefined);
}

function lookupFolder(folder: string, isHowler: boolean): string {
  const own = join(folder, 'lookups');
  return isHowler && !existsSync(own) ? join(dirname(folder), 'lookups') : own;
}

function variableLayers(environment: ConfigSources['environment']): Layer[] {
  const settings = listSettings(configSchema);
  const layers = shapeLayers(environment);
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith('SVC_') || Object.hasOwn(SPECIAL_VARIABLES, variable) || !value) continue;
    if (isInjected([variable, value])) continue;
    const key = keyOfVariable(variable, settings);
    if (key === undefined) {
      const known = [...Object.keys(SPECIAL_VARIABLES), ...settings.flatMap((one) => one.variable ?? [])];
      throw unknownSetting('environment variable ', variable, known);
    }
    layers.push({ place: `environment variable ${variable}`, values: nested(key, value) });
  }
  return layers;
}

/** Variables that Kubernetes and Docker set for a service named `svc` or `svc-…`. */
const INJECTED =
  /^SVC_(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;

/** Their `…_PORT` is an address, the one of a setting a number. */
function isInjected([variable, value]: readonly [string, string | undefined]): boolean {
  return (
    INJECTED.test(variable) || (/^SVC_(?:\w+_)?PORT$/.test(variable) && /^(?:tcp|udp|sctp):\/\//.test(value ?? ''))
  );
}

/** Reads shards and replicas from `ELASTIC_HIT_SHARDS`, `ELASTIC_DEFAULT_REPLICAS` and the like. */
function shapeLayers(environment: ConfigSources['environment']): Layer[] {
  return Object.entries(environment).flatMap(([variable, value]) => {
    const { collection, number } =
      /^ELASTIC_(?<collection>[A-Z0-9_]+)_(?<number>SHARDS|REPLICAS)$/.exec(variable)?.groups ?? {};
    if (collection === undefined || number === undefined || !value) return [];
    const above = collection === 'DEFAULT' ? 'datastore' : `datastore.index_shapes.${collection.toLowerCase()}`;
    const values = nested(`${above}.${number.toLowerCase()}`, value);
    return [{ place: `environment variable ${variable}`, values }];
  });
}

function flagLayers(flags: Readonly<Record<string, unknown>>): Layer[] {
  return Object.entries(flags)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ place: `command line (${key})`, values: nested(key, value) }));
}

/** Key by key; lists and scalars of `over` replace. */
function merge(schema: InputSchema, under: Values, over: Values): Record<string, unknown> {
  const merged = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const inner = schema.properties?.[name] ?? mapValue(schema) ?? {};
    const below = merged[name];
    merged[name] = inner.type === 'object' && isObject(below) && isObject(value) ? merge(inner, below, value) : value;
  }
  return merged;
}

type Auth = Settings['auth'];
type DatastoreHost = Settings['datastore']['hosts'][number];
type Environment = ConfigSources['environment'];

/** Credentials of a host may stand in `<NAME>_HOST_…` variables, so that files need not hold secrets. */
function withCredentials(host: DatastoreHost, environment: Environment): DatastoreHost {
  const prefix = `${host.name.toUpperCase().replaceAll('-', '_')}_HOST_`;
  return {
    ...host,
    username: environment[`${prefix}USERNAME`] || host.username,
    password: environment[`${prefix}PASSWORD`] || host.password,
    apikey_id: environment[`${prefix}APIKEY_ID`] || host.apikey_id,
    apikey_secret: environment[`${prefix}APIKEY_SECRET`] || host.apikey_secret,
  };
}

/** Reads the credentials of providers from the variables `<NAME>_CLIENT_ID` and `<NAME>_CLIENT_SECRET`. */
function withClientCredentials(oauth: Auth['oauth'], environment: Environment): Auth['oauth'] {
  const providers = Object.entries(oauth.providers).map(([name, provider]) => {
    const prefix = `${variablePart(name)}_CLIENT_`;
    const client_id = environment[`${prefix}ID`] || provider.client_id;
    const client_secret = environment[`${prefix}SECRET`] || provider.client_secret;
    return [name, { ...provider, client_id, client_secret }] as const;
  });
  return { ...oauth, providers: Object.fromEntries(providers) };
}

/** The password of a service account may stand in the variable `SA_<PROVIDER>_PASSWORD`. */
function withPasswords({ enabled, accounts }: Auth['service_account'], environment: Environment) {
  const complete = accounts.map((account) => ({
    ...account,
    password: environment[`SA_${variablePart(account.provider)}_PASSWORD`] || account.password,
  }));
  return { enabled, accounts: complete };
}

/** The name of a provider as it stands in variables. */
function variablePart(provider: string): string {
  return provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
}
