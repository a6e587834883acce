import type { ClassificationEngine } from '../../classification/classification.ts';
import type { InProcessSource } from '../sources/in-process/in-process-source-client.ts';
import type { LookupFlags, SourceCall, SourceSelector } from '../sources/source-client.ts';
import type { Adapter, Vendor, VendorSelector } from './adapter.ts';
import { type ItemContext, itemOf } from './finding.ts';
import { vendorValue } from './selector-value.ts';
import { VendorAccess, type VendorAccessOptions } from './vendor-access.ts';

export interface AdapterSourceOptions extends VendorAccessOptions {
  readonly adapter: Adapter;
  readonly servers: readonly string[];
  readonly engine: ClassificationEngine;
  /** Classification of the answers of the vendor. */
  readonly classification: string;
}

type Entry = { readonly items: readonly unknown[] } | { readonly error: string };

/** A vendor as a source of the program. Each call makes one request, so that the limits count requests. */
export class AdapterSource implements InProcessSource {
  readonly #options: AdapterSourceOptions;
  readonly #access: VendorAccess;

  constructor(options: AdapterSourceOptions) {
    this.#options = options;
    this.#access = new VendorAccess(options);
  }

  types(): Readonly<Record<string, string>> {
    const { adapter, classification } = this.#options;
    return Object.fromEntries(adapter.types.map((type) => [type, classification]));
  }

  async lookup(selectors: readonly SourceSelector[], flags: LookupFlags, call: SourceCall): Promise<unknown> {
    const { adapter } = this.#options;
    const byType = Object.create(null) as Record<string, Record<string, Entry>>;
    const sent = new Map<VendorSelector, SourceSelector>();
    const put = ({ type, value }: SourceSelector, entry: Entry) => {
      byType[type] ??= Object.create(null) as Record<string, Entry>;
      byType[type][value] = entry;
    };
    for (const selector of selectors) {
      const value = vendorValue(selector.type, selector.value);
      if (value === undefined)
        put(selector, { error: `The value is not a valid ${selector.type}, so it was not sent.` });
      else sent.set({ type: selector.type, value }, selector);
    }
    if (sent.size === 0) return byType;
    const found = await adapter.lookup([...sent.keys()], this.#vendor(flags, call));
    const context = this.#itemContext(flags);
    for (const [asked, findings] of found) {
      const selector = sent.get(asked);
      if (selector === undefined) continue;
      put(selector, { items: findings.slice(0, flags.limit).flatMap((finding) => itemOf(finding, context) ?? []) });
    }
    return byType;
  }

  close(): Promise<void> {
    return this.#access.close();
  }

  #vendor({ limit }: LookupFlags, call: SourceCall): Vendor {
    const { url, servers } = this.#options;
    let isFirst = true;
    return {
      url,
      limit,
      servers,
      call,
      send: (request) =>
        this.#access.send(request, call, async () => {
          // The limits count the first request with the call.
          if (!isFirst) await call.anotherRequest?.();
          isFirst = false;
        }),
    };
  }

  #itemContext({ noAnnotation, includeRaw }: LookupFlags): ItemContext {
    const { adapter, engine, classification } = this.#options;
    const { title, icon } = adapter;
    const classificationOf = (markings: readonly string[]) => {
      try {
        // Where the installation does not know a marking, the classification of the source applies.
        const known = markings.filter((marking) => engine.isValid(marking));
        return known.reduce((highest, marking) => engine.max(highest, marking), classification);
      } catch {
        return undefined;
      }
    };
    return { title, icon, noAnnotation, includeRaw, classificationOf };
  }
}
