import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/testing/servers/free-port.ts';
import { type ScriptedAnswer, startScriptedServer } from '../../src/testing/servers/scripted-server.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';

const FOLDER = join(import.meta.dirname, 'enrichment');

/** The configuration of the recordings, with the keys of the public system. */
interface RecordedSettings {
  readonly config: {
    readonly api: { readonly external_sources: readonly { readonly name: string; readonly url: string }[] };
    readonly auth: {
      readonly allow_apikeys: boolean;
      readonly apikeys: Readonly<Record<string, string>>;
      readonly oauth: Readonly<Record<string, unknown>>;
    };
    readonly ui: { readonly cors_origins: readonly string[] };
  };
  readonly classification: unknown;
  readonly environment: Readonly<Record<'CLUE_VERSION' | 'COMMIT_HASH' | 'BRANCH', string>>;
}

const { config, classification, environment }: RecordedSettings = JSON.parse(
  readFileSync(join(FOLDER, 'settings.json'), 'utf8'),
);
/** The answers of another server in the recordings. */
interface ScriptedPlugin {
  readonly port: number;
  readonly routes: readonly {
    readonly path: string;
    readonly answer: { readonly status: number; readonly json?: unknown };
  }[];
}

/** Address of the identity provider in the recordings. */
const RECORDED_PROVIDER = 'http://127.0.0.1:6480';

export interface RecordedFixture extends AsyncDisposable {
  /** Address of the scripted identity provider. */
  readonly provider: string;
  /**
   * A program of its own, so that no conversation finds the accounts of another: accounts stay, which
   * the public system has none of.
   */
  startProgram(): Promise<TestProgram>;
}

/** Opens what the recordings expect: the identity provider, the list of applications, classifications. */
export async function openRecordedFixture(): Promise<RecordedFixture> {
  const port = await freePort();
  const provider = spawn(process.execPath, [join(import.meta.dirname, 'replay-enrichment-provider.mjs'), String(port)]);
  await new Promise<void>((resolve, reject) => {
    provider.stdout.once('data', () => resolve());
    provider.once('exit', (code) => reject(new Error(`the identity provider ended with status ${code}`)));
  });
  const others = await startScriptedServer(({ url }) => answerOfOthers(url));
  const folder = mkdtempSync(join(tmpdir(), 'triad-recorded-'));
  // JSON is YAML.
  writeFileSync(join(folder, 'classification.yml'), JSON.stringify(classification));
  const address = `http://127.0.0.1:${port}`;
  return {
    provider: address,
    startProgram: () =>
      startTestProgram({
        demo: 'none',
        folder,
        version: environment.CLUE_VERSION,
        settings: settingsOf(address, others.url),
      }),
    async [Symbol.asyncDispose]() {
      provider.removeAllListeners('exit');
      provider.kill();
      await others[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Settings of this program for the recorded ones; `others` answers for every other server, by its
 * port.
 */
function settingsOf(provider: string, others: string): Record<string, unknown> {
  const { api, auth, ui } = config;
  const oauth = JSON.parse(JSON.stringify(auth.oauth).replaceAll(RECORDED_PROVIDER, provider)) as Record<
    string,
    unknown
  >;
  // They know no PKCE, and have no accounts: what a token says of its user counts, whatever an earlier one said, and whether or not it says that the
  // address is verified.
  const providers = Object.entries((oauth.providers ?? {}) as Record<string, object>);
  return {
    'ui.audit': true,
    'auth.allow_apikeys': auth.allow_apikeys,
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
    'enrichment.discover_url': `${others}/${DISCOVER_PORT}/discover`,
    'enrichment.documentation_folder': join(FOLDER, 'docs'),
    'enrichment.external_sources': api.external_sources.map((source) => ({
      ...source,
      url: source.url.replace(/^http:\/\/127\.0\.0\.1:/, `${others}/`),
    })),
    'system.branch': environment.BRANCH,
    'system.commit': environment.COMMIT_HASH,
  };
}

const DISCOVER_PORT = 6409;
const plugins = globSync(join(FOLDER, 'plugins', '*.json')).map(
  (file) => JSON.parse(readFileSync(file, 'utf8')) as ScriptedPlugin,
);

/** @param url `/<port>/<path>`; no server listens on a port without a script. */
function answerOfOthers(url: string): ScriptedAnswer | 'reset' {
  const [, port, path] = /^\/(\d+)(\/.*)$/.exec(url) ?? [];
  const plugin = plugins.find((one) => String(one.port) === port);
  if (plugin === undefined) return 'reset';
  const route = plugin.routes.find((one) => one.path === path);
  return route === undefined ? { status: 404 } : { status: route.answer.status, body: route.answer.json };
}
