import type { Settings } from '../../config/config-schema.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { IdentityLog } from '../../identity/identity-log.ts';
import { CachedLookup } from '../limits/cached-lookup.ts';
import { LookupCache } from '../limits/lookup-cache.ts';
import { SourceLimits } from '../limits/source-limits.ts';
import type { SourceSettings } from '../sources/source-settings.ts';

export interface LimitedSourcesDependencies {
  readonly targets: Settings['enrichment']['obo_targets'];
  readonly coordination: Pick<Coordination, 'locks' | 'tables' | 'counters'>;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Called with the time that each answer of a source took. */
  readonly onAnswer: (settings: SourceSettings, seconds: number) => void;
}

/** The limits of one source, and its cache if it has one. */
export interface LimitsOfSource {
  readonly limits: SourceLimits;
  readonly cache: CachedLookup | undefined;
}

/** Creates the limits of sources from their settings, and finds them again. Sources share one cache. */
export class LimitedSources {
  readonly #dependencies: LimitedSourcesDependencies;
  readonly #cache = new LookupCache();
  readonly #created = new WeakMap<SourceSettings, LimitsOfSource>();

  constructor(dependencies: LimitedSourcesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Creates the limits of a source that is added. */
  create(settings: SourceSettings): LimitsOfSource {
    const { targets, coordination, log, onAnswer } = this.#dependencies;
    const { name, oboTarget, concurrency, rateLimits: rates, cache } = settings;
    const target = oboTarget === undefined || !Object.hasOwn(targets, oboTarget) ? undefined : targets[oboTarget];
    const created: LimitsOfSource = {
      limits: new SourceLimits({
        source: name,
        concurrency,
        rates,
        target: oboTarget === undefined ? undefined : { name: oboTarget, quota: target?.quota ?? undefined },
        coordination,
        log,
        onAnswer: (seconds) => onAnswer(settings, seconds),
      }),
      cache: cache.ttl > 0 ? new CachedLookup(this.#cache, cache) : undefined,
    };
    this.#created.set(settings, created);
    return created;
  }

  /** Returns the limits of a source that was added. */
  of(settings: SourceSettings): LimitsOfSource | undefined {
    return this.#created.get(settings);
  }
}
