import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { InProcessSource } from '../sources/in-process/in-process-source-client.ts';
import type { LookupFlags, SourceCall, SourceSelector } from '../sources/source-client.ts';
import { keysOfSelector, type SelectorKeys } from './compiled/selector-keys.ts';
import type { ConfiguredList } from './configured-lists.ts';
import { itemOf } from './list-items.ts';
import { isKnownMarking } from './list-status.ts';
import type { OpenLists } from './open-lists.ts';

/** Types that are offered whether a list has values of them at the moment or not. */
const TYPES = ['ipv4', 'ipv6', 'domain', 'hostname', 'url', 'email_address', 'md5', 'sha1', 'sha256'];
/** Milliseconds of work after which a lookup of many values yields to the event loop. */
const SLICE = 5;

/** Finds values in the lists that the caller may see. */
export class ListsSource implements InProcessSource {
  readonly #open: OpenLists;
  readonly #engine: ClassificationEngine;

  constructor(open: OpenLists, engine: ClassificationEngine) {
    this.#open = open;
    this.#engine = engine;
  }

  types(): Readonly<Record<string, string>> {
    const types = new Map(TYPES.map((type) => [type, this.#engine.unrestricted]));
    for (const list of this.#open.lists) {
      for (const type of this.#open.of(list).compiled?.summary.types ?? []) {
        // Known ones by another name, such as `ip` and `sha512`, are offered as they are.
        const before = types.get(type);
        types.set(type, before === undefined ? list.classification : this.#engine.min(before, list.classification));
      }
    }
    return Object.fromEntries(types);
  }

  async lookup(selectors: readonly SourceSelector[], flags: LookupFlags, call: SourceCall): Promise<unknown> {
    const visible = this.#open.lists.filter((list) => this.#maySee(call, list.classification));
    const answer: Record<string, Record<string, unknown>> = Object.create(null);
    let began = performance.now();
    for (const { type, value } of selectors) {
      const items = this.#itemsOf(keysOfSelector(type, value), visible, flags, call);
      if (items.length > 0) {
        answer[type] ??= Object.create(null) as Record<string, unknown>;
        answer[type][value] = { items };
      }
      if (performance.now() - began < SLICE) continue;
      await nextTurn();
      call.signal.throwIfAborted();
      began = performance.now();
    }
    return answer;
  }

  #itemsOf(keys: SelectorKeys, lists: readonly ConfiguredList[], flags: LookupFlags, call: SourceCall) {
    const items: Record<string, unknown>[] = [];
    const now = Date.now();
    for (const list of lists) {
      for (const entry of this.#open.find(list, keys)) {
        if (items.length >= flags.limit) return items;
        const { marking, validFrom = now, validUntil = Number.POSITIVE_INFINITY } = entry.details;
        if (validFrom > now || validUntil <= now) continue;
        const classification = this.#classificationOf(list, marking);
        if (classification === undefined || !this.#maySee(call, classification)) continue;
        const freshAt = this.#open.of(list).freshAt ?? now;
        const { noAnnotation, includeRaw } = flags;
        items.push(itemOf(entry, { list: list.settings, classification, freshAt, noAnnotation, includeRaw }));
      }
    }
    return items;
  }

  /**
   * Returns the classification of the list, or the higher one of list and marking when the marking is
   * known; undefined when no clearance satisfies both.
   */
  #classificationOf({ classification }: ConfiguredList, marking: string | undefined): string | undefined {
    if (marking === undefined || !isKnownMarking(this.#engine, marking)) return classification;
    try {
      return this.#engine.max(classification, marking);
    } catch {
      return undefined;
    }
  }

  #maySee({ caller }: SourceCall, classification: string): boolean {
    return this.#engine.isAccessible(caller.classification, classification, true);
  }
}
