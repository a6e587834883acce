import { after } from 'node:test';
import type { CacheSettings } from '../../limits/cached-lookup.ts';
import type { CallKind, CredentialsForSources } from '../call-context.ts';
import type { Source } from '../source.ts';
import type { SourceClient } from '../source-client.ts';
import { type FixtureOptions, sourceOf } from './source-fixture.ts';

/** A call as the code of a source sees it. */
export interface PluginRequest {
  readonly kind: CallKind;
  readonly token: string | undefined;
  readonly selectors: readonly { readonly type: string; readonly value: string }[];
  /** Identifies an action or a fetcher. */
  readonly id: string;
  readonly body: unknown;
}

/** `hang`: the answer comes after five seconds. */
export type PluginAnswer =
  | { readonly content: unknown }
  | { readonly status: number; readonly message: string }
  | 'hang';

/** Answers the calls of a test. */
export type PluginScript = (request: PluginRequest) => PluginAnswer;

export interface OpenPlugin {
  readonly client: SourceClient;
  /** Every call that reached the source. */
  readonly requests: PluginRequest[];
  close(): Promise<void>;
}

/** One adapter as the suite takes it. */
export interface SourceSubject {
  readonly name: string;
  /** Opens a source with this script behind the adapter. */
  open(script: PluginScript): Promise<OpenPlugin>;
}

/** Parts that a mutant replaces. */
export interface SourceMutation {
  readonly client?: (sound: SourceClient) => SourceClient;
  readonly credentials?: (sound: CredentialsForSources) => CredentialsForSources;
  readonly source?: (sound: Source) => Source;
  readonly cache?: (sound: CacheSettings) => CacheSettings;
}

export interface OpenSource {
  readonly source: Source;
  readonly requests: PluginRequest[];
}

/** Milliseconds of `hang`. */
export const HANGING = 5_000;

/** Returns a function that opens a source with a script; closes all after the tests of the area. */
export function sourcesForArea(subject: SourceSubject, mutation: SourceMutation = {}) {
  const opened: OpenPlugin[] = [];
  after(async () => {
    for (const plugin of opened) {
      await plugin.client.close();
      await plugin.close();
    }
  });
  return async (script: PluginScript, options: FixtureOptions = {}): Promise<OpenSource> => {
    const plugin = await subject.open(script);
    opened.push(plugin);
    const client = mutation.client?.(plugin.client) ?? plugin.client;
    const cache = options.cache && (mutation.cache?.(options.cache) ?? options.cache);
    const sound = sourceOf(client, { ...options, cache, credentials: mutation.credentials });
    return { source: mutation.source?.(sound) ?? sound, requests: plugin.requests };
  };
}
