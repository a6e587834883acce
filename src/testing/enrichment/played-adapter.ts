import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { loadConfig } from '../../config/config.ts';
import { openAdapters } from '../../enrichment/adapters/open-adapters.ts';
import type { QueryResult } from '../../enrichment/models/query-result.ts';
import { addOwnSources } from '../../enrichment/sources/add-own-sources.ts';
import type { LookupFlags } from '../../enrichment/sources/source-client.ts';
import { SourceDirectory } from '../../enrichment/sources/source-directory.ts';
import { SupportedTypes } from '../../enrichment/supported-types/supported-types.ts';
import { anActor } from '../alerts/alert-services.ts';
import { type Script, type ScriptedAnswer, startScriptedServer } from '../servers/scripted-server.ts';
import { FORWARDED_TOKENS } from './forwarded-tokens.ts';

/** A request as `triad sources record` saves it: without the key, which is written `<key>`. */
export interface PlayedExchange {
  readonly request: { readonly method: string; readonly path: string; readonly body?: string };
  readonly answer: ScriptedAnswer;
}

/** A value with the requests that its lookup makes. Recorded ones expect nothing. */
export interface PlayedCase {
  readonly type: string;
  readonly value: string;
  readonly exchanges: readonly PlayedExchange[];
  readonly expect?: {
    readonly opinion: string | null;
    readonly link: string | null;
    /** Subjects of annotations that must be there. */
    readonly about?: readonly string[];
  };
}

/** Answers of a vendor after its documentation; a string says why there is none. */
export interface PlayedAnswers {
  readonly page: string;
  readonly cases: Readonly<Record<string, PlayedCase | string>>;
  /** Several values with one call, for vendors that take many. */
  readonly many?: {
    readonly selectors: readonly (readonly [type: string, value: string])[];
    readonly exchanges: readonly PlayedExchange[];
    readonly opinions: readonly (string | null)[];
  };
  readonly wrong_key: ScriptedAnswer | string;
  readonly quota: ScriptedAnswer;
}

interface TestContext {
  after(end: () => Promise<void>): void;
}

export const TEST_KEY = 'secret-key-of-the-test';
export const PLAYED_ENGINE = loadClassification(DEMO_CLASSIFICATION);
const FLAGS: LookupFlags = { limit: 10, maxTimeout: 5, noAnnotation: false, includeRaw: false, noCache: false };
const FOLDER = join(import.meta.dirname, '..', '..', 'enrichment', 'adapters', 'vendors');

/** Reads the answers of an adapter, with those that were recorded beside them. */
export function readPlayedAnswers(name: string): PlayedAnswers {
  const file = join(FOLDER, name, 'answers.json');
  if (!existsSync(file)) throw new Error(`${file} is missing: the suite plays the answers of every adapter`);
  const answers: PlayedAnswers = JSON.parse(readFileSync(file, 'utf8'));
  const recorded = globSync('recorded-*.json', { cwd: join(FOLDER, name) });
  const cases = recorded.map((one) => [one, JSON.parse(readFileSync(join(FOLDER, name, one), 'utf8'))]);
  return { ...answers, cases: { ...answers.cases, ...Object.fromEntries(cases) } };
}

/** Returns a script that answers the requests of a file; others are noted in `differences`. */
export function playOf(exchanges: readonly PlayedExchange[], differences: string[], url: () => string): Script {
  return ({ method, url: path, body }) => {
    const asked = [method, path, body].join(' ').replaceAll(TEST_KEY, '<key>');
    const found = exchanges.find(
      ({ request }) => [request.method, request.path, request.body ?? ''].join(' ') === asked,
    );
    if (found === undefined) differences.push(asked);
    const { body: answered, ...answer } = found?.answer ?? { status: 500, body: 'not expected' };
    return {
      ...answer,
      body: JSON.parse((JSON.stringify(answered) ?? 'null').replaceAll('{server}', url())),
    };
  };
}

/** For tests: a source of an adapter, as the program opens it, and a scripted vendor. */
export async function openPlayedAdapter(
  context: TestContext,
  name: string,
  script: Script,
  settings: Readonly<Record<string, unknown>> = {},
) {
  const server = await startScriptedServer(script);
  context.after(async () => server[Symbol.asyncDispose]());
  const warnings: string[] = [];
  const log = { warn: (entry: object, message: string) => void warnings.push(`${message} ${JSON.stringify(entry)}`) };
  const { adapters, adapter_keys: keys } = loadConfig({
    environment: { SVC_CONF_FOLDER: import.meta.dirname },
    flags: {
      'enrichment.adapters': {
        [name]: { url: `${server.url}/base/`, rate_limits: [], cache: { ttl: 0 }, ...settings },
      },
      'enrichment.adapter_keys': settings.api_key === null ? {} : { [name]: TEST_KEY },
    },
  }).enrichment;
  const supportedTypes = new SupportedTypes();
  const directory = new SourceDirectory({
    engine: PLAYED_ENGINE,
    supportedTypes,
    credentials: FORWARDED_TOKENS,
    log,
  });
  const sources = openAdapters({ adapters, keys, engine: PLAYED_ENGINE, log });
  addOwnSources(sources, { directory, supportedTypes, engine: PLAYED_ENGINE });
  context.after(async () => {
    await directory.close();
    await Promise.all(sources.map((source) => source.close?.()));
  });
  const source = directory.find(name);
  if (source === undefined) throw new Error(`${name} is not open`);
  const callOf = (milliseconds: number) => ({
    actor: anActor({ username: 'goose.of.the.test', classification: PLAYED_ENGINE.unrestricted }),
    credential: { kind: 'provider_token', token: 'token.of.caller' } as const,
    deadline: Date.now() + milliseconds,
    signal: new AbortController().signal,
  });
  const selectorOf = (type: string, value: string) => ({
    type,
    value,
    classification: PLAYED_ENGINE.unrestricted,
    sources: null,
  });
  return {
    server,
    source,
    warnings,
    lookup: (type: string, value: string, flags: Partial<LookupFlags> = {}, milliseconds = 10_000) =>
      source.lookupOne(selectorOf(type, value), { ...FLAGS, ...flags }, callOf(milliseconds)),
    lookupMany: async (
      values: readonly (readonly [string, string])[],
    ): Promise<readonly (QueryResult | undefined)[]> => {
      const selectors = values.map(([type, value]) => selectorOf(type, value));
      const found = await source.lookup(selectors, FLAGS, callOf(10_000));
      return selectors.map((selector) => found.get(selector));
    },
  };
}
