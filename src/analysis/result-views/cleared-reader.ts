import type { ClassificationEngine } from '../../classification/classification.ts';
import { isTriadError } from '../../errors/errors.ts';

/** A caller as the formatting of results sees them. Remembers decisions: create one for each request. */
export class ClearedReader {
  /** Clearance of the caller. */
  readonly classification: string;
  readonly #engine: ClassificationEngine;
  readonly #seen = new Map<string, boolean>();
  readonly #joined = new Map<string, string | undefined>();
  readonly #hidden = new Set<string>();

  constructor(engine: ClassificationEngine, classification: string) {
    this.#engine = engine;
    this.classification = classification;
  }

  /** False when everything is visible to everyone, because classifications are not enforced. */
  get isRestricted(): boolean {
    return this.#engine.enforce;
  }

  get unrestricted(): string {
    return this.#engine.unrestricted;
  }

  /** Clearance in short form without separators, as the keys of caches have it. */
  get cacheKey(): string {
    return this.#engine.normalise(this.classification, { short: true }).replaceAll(/[ :/]/g, '');
  }

  /** Returns whether the caller may see what is classified so. What is invalid admits no caller. */
  sees(classification: string | null | undefined): boolean {
    const key = classification ?? '';
    let seen = this.#seen.get(key);
    if (seen === undefined) {
      seen = this.#engine.isAccessible(this.classification, classification, true);
      this.#seen.set(key, seen);
    }
    return seen;
  }

  /** Notes which of these files the caller may not see, for results that name them. */
  learn(files: Iterable<{ readonly sha256: string; readonly classification: string } | undefined>): void {
    for (const file of files) if (file !== undefined && !this.sees(file.classification)) this.#hidden.add(file.sha256);
  }

  /** Returns whether the caller may see a file that a result names, by that entry and by the file. */
  seesFile({ sha256, classification }: { readonly sha256: string; readonly classification: string }): boolean {
    return this.sees(classification) && !this.#hidden.has(sha256);
  }

  /** Returns the higher classification; undefined when no group may see both, or one is invalid. */
  max(left: string, right: string): string | undefined {
    return this.#join('max', left, right);
  }

  /** Returns the lower classification; undefined when one is invalid. */
  min(left: string, right: string): string | undefined {
    return this.#join('min', left, right);
  }

  /** Returns the highest of the classifications that have a common reader. */
  top(classifications: Iterable<string>, from: string = this.unrestricted): string {
    let highest = from;
    for (const one of classifications) highest = this.max(highest, one) ?? highest;
    return highest;
  }

  #join(operation: 'max' | 'min', left: string, right: string): string | undefined {
    const key = `${operation}\n${left}\n${right}`;
    if (!this.#joined.has(key)) this.#joined.set(key, this.#combined(operation, left, right));
    return this.#joined.get(key);
  }

  #combined(operation: 'max' | 'min', left: string, right: string): string | undefined {
    try {
      return this.#engine[operation](left, right);
    } catch (error) {
      if (isTriadError(error)) return undefined;
      throw error;
    }
  }
}
