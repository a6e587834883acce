import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/testing/free-port.ts';
import { startScriptedServer } from '../../src/testing/scripted-server.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';

const FOLDER = join(import.meta.dirname, 'enrichment');

/** The configuration of the recordings, with the keys of the public system. */
interface RecordedSettings {
  readonly config: {
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
/** Where the recordings have their identity provider. */
const RECORDED_PROVIDER = 'http://127.0.0.1:6480';

export interface RecordedGround extends AsyncDisposable {
  /** Address of the scripted identity provider. */
  readonly provider: string;
  /** A program of its own, so that no conversation finds the accounts of another: accounts stay, which the public system has none of. */
  startProgram(): Promise<TestProgram>;
}

/** What the recordings of the enrichment service want around it: the identity provider, the list of applications, classifications. */
export async function openRecordedGround(): Promise<RecordedGround> {
  const port = await freePort();
  const provider = spawn(process.execPath, [join(import.meta.dirname, 'replay-enrichment-provider.mjs'), String(port)]);
  await new Promise<void>((resolve, reject) => {
    provider.stdout.once('data', () => resolve());
    provider.once('exit', (code) => reject(new Error(`the identity provider ended with status ${code}`)));
  });
  const applications = await startScriptedServer(() => ({ body: answerOfDiscover() }));
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
        settings: { ...settingsOf(address), 'enrichment.discover_url': `${applications.url}/discover` },
      }),
    async [Symbol.asyncDispose]() {
      provider.removeAllListeners('exit');
      provider.kill();
      await applications[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Settings of this program for the recorded ones. */
function settingsOf(provider: string): Record<string, unknown> {
  const { auth, ui } = config;
  const oauth = JSON.parse(JSON.stringify(auth.oauth).replaceAll(RECORDED_PROVIDER, provider)) as Record<
    string,
    unknown
  >;
  // They know no PKCE.
  const providers = Object.entries((oauth.providers ?? {}) as Record<string, object>);
  return {
    'ui.audit': true,
    'auth.allow_apikeys': auth.allow_apikeys,
    // The recordings begin logins from two pages; one of them may not call the service otherwise.
    'auth.oauth': {
      ...oauth,
      redirect_origins: ['http://ui.golden.example:8080'],
      providers: Object.fromEntries(providers.map(([name, provider]) => [name, { ...provider, pkce: false }])),
    },
    'enrichment.api_keys': auth.apikeys,
    'enrichment.cors_origins': ui.cors_origins,
    'enrichment.documentation_folder': join(FOLDER, 'docs'),
    'system.branch': environment.BRANCH,
    'system.commit': environment.COMMIT_HASH,
  };
}

function answerOfDiscover(): unknown {
  const { routes } = JSON.parse(readFileSync(join(FOLDER, 'discover.json'), 'utf8')) as {
    routes: readonly { answer: { json: unknown } }[];
  };
  return routes[0]?.answer.json;
}
