import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import { InvalidInput } from '../../errors/errors.ts';

/**
 * Names who learns the values that a source is asked. `local`: nothing leaves the installation.
 * `passive`: a third party learns them. `active`: the target may notice.
 */
export type SourceReach = 'local' | 'passive' | 'active';

/** A source as an administrator, a registration or the program itself describes it. */
export interface SourceSettings {
  readonly name: string;
  /** Address that its paths follow; empty for a source in process. */
  readonly url: string;
  /** Required to use the source; normalised. */
  readonly classification: string;
  /** Highest classification of what it may be asked; normalised. */
  readonly maxClassification: string;
  /** The setting as it was written, for messages; undefined when it was not set. */
  readonly declaredMaxClassification: string | undefined;
  readonly oboTarget: string | undefined;
  /** `installation`: it takes tokens of this installation. */
  readonly identity?: 'installation' | undefined;
  readonly maintainer: string | undefined;
  readonly datahubLink: string | undefined;
  readonly documentationLink: string | undefined;
  /** Its answers are not validated. */
  readonly production: boolean;
  /** Is asked when a request names no sources. */
  readonly includeDefault: boolean;
  /** Cannot be removed while the program runs. */
  readonly builtIn: boolean;
  /** Seconds that an action may take. */
  readonly defaultTimeout: number;
  /** Concurrent calls of this process. */
  readonly concurrency: number;
  /** Rates of calls such as `4/minute`, of all processes together. */
  readonly rateLimits: readonly string[];
  /** Values of one call. Default: all of a lookup. */
  readonly valuesPerCall?: number | undefined;
  /** Seconds that answers are kept (0: not at all), and whether callers of one clearance share them. */
  readonly cache: { readonly ttl: number; readonly shared: boolean };
  readonly origin: 'configured' | 'registered' | 'own';
  readonly reach: SourceReach;
}

/** The settings of one source as the configuration has them. */
export type ConfiguredSource = Settings['enrichment']['external_sources'][number];

export interface SourceSettingsContext {
  readonly engine: ClassificationEngine;
  readonly origin: SourceSettings['origin'];
  /** Place of the source in the settings, or in the body that registers it; empty for a body. */
  readonly at: string;
  /** Code of the errors. Default: `invalid_setting`. */
  readonly code?: string;
}

/**
 * Returns the settings of a source with classifications normalised.
 * @throws InvalidInput for an invalid classification or link
 */
export function readSourceSettings(source: ConfiguredSource, context: SourceSettingsContext): SourceSettings {
  return {
    name: source.name,
    url: source.url.replace(/\/+$/, ''),
    classification: classificationOf(source, 'classification', context),
    maxClassification: classificationOf(source, 'max_classification', context),
    declaredMaxClassification: source.max_classification || undefined,
    oboTarget: source.obo_target || undefined,
    identity: source.identity ?? undefined,
    maintainer: source.maintainer || undefined,
    datahubLink: linkOf(source, 'datahub_link', context),
    documentationLink: linkOf(source, 'documentation_link', context),
    production: source.production,
    includeDefault: source.include_default,
    builtIn: context.origin === 'configured' && source.built_in,
    defaultTimeout: source.default_timeout,
    concurrency: source.concurrency,
    rateLimits: source.rate_limits,
    cache: source.cache,
    origin: context.origin,
    reach: 'passive',
  };
}

function classificationOf(
  source: ConfiguredSource,
  key: 'classification' | 'max_classification',
  context: SourceSettingsContext,
): string {
  const text = source[key];
  if (!text) return context.engine.unrestricted;
  try {
    return context.engine.normalise(text.toUpperCase());
  } catch (cause) {
    throw invalid(context, key, `${text} is not a classification`, cause);
  }
}

function linkOf(
  source: ConfiguredSource,
  key: 'datahub_link' | 'documentation_link',
  context: SourceSettingsContext,
): string | undefined {
  const text = source[key];
  if (!text) return undefined;
  if (!URL.canParse(text)) throw invalid(context, key, `"${text}" is not an absolute URL`);
  return new URL(text).href;
}

function invalid(
  { at, code = 'invalid_setting' }: SourceSettingsContext,
  key: string,
  problem: string,
  cause?: unknown,
) {
  const place = at === '' ? key : `${at}.${key}`;
  return new InvalidInput(code, `${place}: ${problem}.`, { at: place, cause });
}
