import type { LookupCache } from './lookup-cache.ts';

/** Settings `cache` of a source. */
export interface CacheSettings {
  /** Seconds. */
  readonly ttl: number;
  /** Answers are shared by callers of one clearance, where the source gets no token. */
  readonly shared: boolean;
}

/** A question to a source for one caller, without its values. */
export interface CacheQuestion {
  readonly source: string;
  /** Address of the source: another source may get the name of one that was removed. */
  readonly url: string;
  readonly limit: number;
  readonly noAnnotation: boolean;
  readonly includeRaw: boolean;
  /** Asks the source in any case, and stores the answer. */
  readonly noCache: boolean;
  /** Distinguishes callers also when they have the same user name, such as users of two providers. */
  readonly caller: string;
  readonly clearance: string;
  /** True when the source is sent a token of the caller. */
  readonly hasToken: boolean;
  readonly signal: AbortSignal;
}

export interface CachedSelector {
  readonly type: string;
  readonly value: string;
  readonly classification: string;
}

/** The part of an answer that decides whether it is stored, and for how long. */
export interface CachedAnswer {
  readonly error?: string | undefined;
  readonly items: readonly unknown[];
}

/** Fraction of the lifetime for which an answer without items is kept. */
const NEGATIVE = 1 / 10;

/** Answers questions to one source from the cache, and asks the source for the rest. */
export class CachedLookup {
  readonly #cache: LookupCache;
  readonly #settings: CacheSettings;
  #hits = 0;
  #misses = 0;

  constructor(cache: LookupCache, settings: CacheSettings) {
    this.#cache = cache;
    this.#settings = settings;
  }

  /** Values that were answered from the cache or by a question under way, and those that were asked. */
  get counts(): { readonly hits: number; readonly misses: number } {
    return { hits: this.#hits, misses: this.#misses };
  }

  /**
   * Returns an answer for each selector that has one. Equal questions at the same time are asked once;
   * when that call fails or is cancelled, the others make one of their own. Errors are not stored.
   * Answers are not filtered by classification.
   * @param ask asks the source for the selectors that are left; called at most twice
   */
  async lookup<S extends CachedSelector, A extends CachedAnswer>(
    selectors: readonly S[],
    question: CacheQuestion,
    ask: (selectors: readonly S[]) => Promise<ReadonlyMap<S, A>>,
  ): Promise<ReadonlyMap<S, A>> {
    const answers = new Map<S, A>();
    const joined: { readonly selector: S; readonly answer: Promise<string | undefined> }[] = [];
    const rest = new Map<S, string>();
    for (const selector of selectors) {
      const key = cacheKey(this.#settings, question, selector);
      const stored = question.noCache ? undefined : this.#cache.get(key);
      const underWay = question.noCache || stored !== undefined ? undefined : this.#cache.underWay(key);
      if (stored !== undefined) answers.set(selector, JSON.parse(stored) as A);
      else if (underWay !== undefined) joined.push({ selector, answer: underWay });
      else rest.set(selector, key);
    }
    this.#hits += answers.size;
    const own = rest.size === 0 ? undefined : this.#ask(rest, question, ask);
    // Awaited below; until then it must not count as unhandled.
    own?.catch(() => undefined);
    const again = new Map<S, string>();
    if (joined.length > 0) {
      const gone = aborted(question.signal);
      for (const { selector, answer } of joined) {
        const text = await Promise.race([answer, gone.promise]);
        if (text === undefined) again.set(selector, cacheKey(this.#settings, question, selector));
        else answers.set(selector, JSON.parse(text) as A);
      }
      gone.forget();
      this.#hits += joined.length - again.size;
    }
    for (const [selector, answer] of (await own) ?? []) answers.set(selector, answer);
    if (again.size > 0) {
      question.signal.throwIfAborted();
      for (const [selector, answer] of await this.#ask(again, question, ask)) answers.set(selector, answer);
    }
    return answers;
  }

  async #ask<S extends CachedSelector, A extends CachedAnswer>(
    selectors: ReadonlyMap<S, string>,
    question: CacheQuestion,
    ask: (selectors: readonly S[]) => Promise<ReadonlyMap<S, A>>,
  ): Promise<ReadonlyMap<S, A>> {
    this.#misses += selectors.size;
    const ends = new Map([...selectors].map(([selector, key]) => [selector, this.#cache.begin(key)] as const));
    try {
      const answers = await ask([...selectors.keys()]);
      for (const [selector, answer] of answers) {
        const key = selectors.get(selector);
        if (key === undefined || answer.error !== undefined) continue;
        const text = JSON.stringify(answer);
        const lifetime = this.#settings.ttl * 1000 * (answer.items.length === 0 ? NEGATIVE : 1);
        this.#cache.put(key, question.caller, text, lifetime);
        ends.get(selector)?.(text);
      }
      return answers;
    } finally {
      for (const end of ends.values()) end(undefined);
    }
  }
}

/**
 * Returns the key of a question: equal for two only if one may get the other's answer. It leaves the
 * caller out only when the source shares its answers and is sent no token.
 */
export function cacheKey(
  { shared }: Pick<CacheSettings, 'shared'>,
  question: CacheQuestion,
  { type, value, classification }: CachedSelector,
): string {
  const { source, url, limit, noAnnotation, includeRaw, caller, clearance, hasToken } = question;
  const who = shared && !hasToken ? null : caller;
  return JSON.stringify([source, url, type, value, classification, limit, noAnnotation, includeRaw, who, clearance]);
}

/** Returns a promise that resolves when the signal aborts, and a function that removes its listener. */
function aborted(signal: AbortSignal): { readonly promise: Promise<undefined>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const abort = () => resolve(undefined);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return { promise, forget: () => signal.removeEventListener('abort', abort) };
}
