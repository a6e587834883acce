import { DEMO_CLASSIFICATION } from '../../../classification/builtin-definitions.ts';
import { loadClassification } from '../../../classification/classification.ts';
import { loadConfig } from '../../../config/config.ts';
import type { Actor } from '../../../identity/actor.ts';
import { CachedLookup, type CacheSettings } from '../../limits/cached-lookup.ts';
import { LookupCache } from '../../limits/lookup-cache.ts';
import type { Selector } from '../../models/selector.ts';
import { SupportedTypes } from '../../supported-types/supported-types.ts';
import type { CallContext, CredentialsForSources } from '../call-context.ts';
import { Source } from '../source.ts';
import type { LookupFlags, SourceClient } from '../source-client.ts';
import { readSourceSettings, type SourceSettings } from '../source-settings.ts';

export interface FixtureOptions {
  readonly settings?: Partial<SourceSettings>;
  readonly credentials?: ((sound: CredentialsForSources) => CredentialsForSources) | undefined;
  /** Settings of the cache. Default: nothing is kept. */
  readonly cache?: CacheSettings | undefined;
  readonly now?: () => number;
}

export const ENGINE = loadClassification(DEMO_CLASSIFICATION);
export const FLAGS: LookupFlags = { limit: 10, maxTimeout: 5, noAnnotation: false, includeRaw: false, noCache: false };

const CONFIGURED = loadConfig({
  environment: { SVC_CONF_FOLDER: import.meta.dirname },
  flags: { 'enrichment.external_sources': [{ name: 'feed', url: 'http://feed.example' }] },
}).enrichment.external_sources.map((source) =>
  readSourceSettings(source, { engine: ENGINE, origin: 'configured', at: '' }),
);
const [SETTINGS] = CONFIGURED as [SourceSettings];

/** Treats every source as one without an on-behalf-of target. */
const CREDENTIALS: CredentialsForSources = {
  tokenFor: async (_source, _actor, credential) =>
    credential.kind === 'provider_token' ? { token: credential.token } : {},
};

/** Returns a source around a client, with classifications enforced. */
export function sourceOf(client: SourceClient, options: FixtureOptions = {}): Source {
  return new Source({
    settings: { ...SETTINGS, ...options.settings },
    client,
    engine: ENGINE,
    supportedTypes: new SupportedTypes(),
    credentials: options.credentials?.(CREDENTIALS) ?? CREDENTIALS,
    cache: options.cache && new CachedLookup(new LookupCache(), options.cache),
    log: { warn: () => undefined },
    ...(options.now === undefined ? {} : { now: options.now }),
  });
}

interface CallerOptions {
  readonly classification?: string;
  readonly username?: string;
  /** Access token of a provider; default: a credential of this installation. */
  readonly token?: string;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** Returns the context of a call. */
export function callOf(options: CallerOptions = {}): CallContext {
  const { classification = 'UNRESTRICTED', username = 'goose', token, timeout = 2_000 } = options;
  const actor = { username, classification: ENGINE.normalise(classification) } as Actor;
  return {
    actor,
    credential: token === undefined ? { kind: 'local' } : { kind: 'provider_token', token },
    deadline: Date.now() + timeout,
    signal: options.signal ?? new AbortController().signal,
  };
}

export function selectorOf(value: string, type = 'domain'): Selector {
  return { type, value, classification: ENGINE.unrestricted, sources: null };
}

/** Returns an entry as sources send it. */
export function entryOf(summary: string, classification: string = ENGINE.unrestricted) {
  return {
    classification,
    count: 1,
    annotations: [{ analytic: 'feed', type: 'context', value: summary, confidence: 1, summary }],
  };
}
