import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/testing/servers/free-port.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';

const FOLDER = join(import.meta.dirname, 'enrichment');

/** The configuration of the recordings, with the keys of the public system. */
interface RecordedSettings {
  readonly config: {
    readonly api: {
      readonly external_sources: readonly object[];
      readonly obo_targets: Readonly<Record<string, object>>;
      readonly discover_url: string;
    };
    readonly auth: {
      readonly allow_apikeys: boolean;
      readonly apikeys: Readonly<Record<string, string>>;
      readonly propagate_clue_key: boolean;
      readonly service_account?: object;
      readonly oauth: Readonly<Record<string, unknown>>;
    };
    readonly ui: { readonly cors_origins: readonly string[] };
  };
  readonly classification: unknown;
  readonly environment: Readonly<Record<'CLUE_VERSION' | 'COMMIT_HASH' | 'BRANCH', string>>;
}

/** Ports of the recordings: plugins, the identity provider, and the one where no server listens. */
const RECORDED_ADDRESS = /http:\/\/127\.0\.0\.1:(64\d\d)/g;
const PROVIDER_PORT = '6480';
const DEAD_PORT = '6499';

/** `second`: a service account, no propagation of tokens, and classifications that are not enforced. */
export type RecordedProfile = 'first' | 'second';

export const CONVERSATION_FOLDERS: Readonly<Record<RecordedProfile, string>> = {
  first: join(FOLDER, 'conversations'),
  second: join(FOLDER, 'conversations-b'),
};

export interface RecordedFixture extends AsyncDisposable {
  /** Address of the scripted identity provider. */
  readonly provider: string;
  /** Replaces the addresses of the recorded servers by those of the servers of this fixture. */
  relocate(text: string): string;
  /**
   * A program of its own, so that no conversation finds the accounts of another: accounts stay, which
   * the public system has none of.
   * @param settings by key, in addition to the recorded ones
   */
  startProgram(settings?: Readonly<Record<string, unknown>>): Promise<TestProgram>;
}

/** Opens what the recordings expect: the identity provider, the plugins and the classification. */
export async function openRecordedFixture(profile: RecordedProfile = 'first'): Promise<RecordedFixture> {
  const providerPort = await freePort();
  const provider = spawnScript('replay-enrichment-provider.mjs', [String(providerPort)]);
  const plugins = spawnScript('replay-enrichment-plugins.mjs', [join(FOLDER, 'plugins'), '--free-ports']);
  const [, pluginPorts] = await Promise.all([provider.firstLine, plugins.firstLine]);
  const ports: Readonly<Record<string, number>> = {
    ...(JSON.parse(pluginPorts) as Record<string, number>),
    [PROVIDER_PORT]: providerPort,
    [DEAD_PORT]: await freePort(),
  };
  const relocate = (text: string) =>
    text.replace(RECORDED_ADDRESS, (address, port: string) =>
      ports[port] === undefined ? address : `http://127.0.0.1:${ports[port]}`,
    );
  const recorded = recordedSettings(profile, relocate);
  const folder = mkdtempSync(join(tmpdir(), 'triad-recorded-'));
  // JSON is YAML.
  writeFileSync(join(folder, 'classification.yml'), JSON.stringify(recorded.classification));
  const address = `http://127.0.0.1:${providerPort}`;
  writeExchange(join(folder, EXCHANGE), address);
  return {
    provider: address,
    relocate,
    startProgram: (settings = {}) =>
      startTestProgram({
        demo: 'none',
        folder,
        version: recorded.environment.CLUE_VERSION,
        settings: {
          ...settingsOf(recorded),
          extension_folder: folder,
          'core.extensions': [EXCHANGE],
          ...settings,
        },
      }),
    async [Symbol.asyncDispose]() {
      for (const script of [provider, plugins]) script.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Name of the extension that exchanges tokens as the recorded system did. */
const EXCHANGE = 'recorded_exchange';

function writeExchange(folder: string, provider: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'manifest.yml'), `name: ${EXCHANGE}\nmodules:\n  obo_module: true\n`);
  writeFileSync(
    join(folder, 'obo.js'),
    `export async function get_obo_token(service, token, user) {
      const body = JSON.stringify({ service, token, user });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch('${provider}/exchange', { method: 'POST', headers, body });
      return answer.ok ? (await answer.json()).access_token : null;
    }\n`,
  );
}

function spawnScript(script: string, parameters: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, script), ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(text.toString('utf8')));
    child.once('exit', (code) => reject(new Error(`${script} ended with status ${code}`)));
  });
  return {
    firstLine,
    stop() {
      child.removeAllListeners('exit');
      child.kill();
    },
  };
}

function recordedSettings(profile: RecordedProfile, relocate: (text: string) => string): RecordedSettings {
  const read = (file: string) => JSON.parse(relocate(readFileSync(join(FOLDER, file), 'utf8'))) as RecordedSettings;
  const first = read('settings.json');
  return profile === 'first' ? first : (merged(first, read('settings-b.json')) as RecordedSettings);
}

/** Returns the first value with the members of the second over its own, at every depth. */
function merged(value: unknown, over: unknown): unknown {
  const isObject = (one: unknown): one is Record<string, unknown> =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  if (!isObject(value) || !isObject(over)) return over;
  const members = Object.entries(over).map(([key, one]) => [key, key in value ? merged(value[key], one) : one]);
  return { ...value, ...Object.fromEntries(members) };
}

/** Returns the settings of this program for the recorded ones. */
function settingsOf({ config: { api, auth, ui }, environment }: RecordedSettings): Record<string, unknown> {
  const { oauth } = auth;
  // They know no PKCE, and have no accounts: what a token says of its user counts, regardless of what an earlier one said, and whether or not it says that the
  // address is verified.
  const providers = Object.entries((oauth.providers ?? {}) as Record<string, object>);
  return {
    'ui.audit': true,
    'auth.allow_apikeys': auth.allow_apikeys,
    'auth.propagate_clue_key': auth.propagate_clue_key,
    ...(auth.service_account === undefined ? {} : { 'auth.service_account': auth.service_account }),
    // The recordings begin logins from two pages; one of them may not call the service otherwise.
    'auth.oauth': {
      ...oauth,
      redirect_origins: ['http://ui.golden.example:8080'],
      providers: Object.fromEntries(
        providers.map(([name, one]) => [name, { ...one, pkce: false, auto_sync: true, trust_email: true }]),
      ),
    },
    'enrichment.api_keys': auth.apikeys,
    'enrichment.cors_origins': ui.cors_origins,
    'enrichment.discover_url': api.discover_url,
    'enrichment.documentation_folder': join(FOLDER, 'docs'),
    'enrichment.external_sources': api.external_sources,
    'enrichment.obo_targets': api.obo_targets,
    // The recorded system has none.
    'enrichment.own_sources': '',
    'system.branch': environment.BRANCH,
    'system.commit': environment.COMMIT_HASH,
  };
}
