import type { SourceCall } from '../sources/source-client.ts';
import type { Finding } from './finding.ts';

/**
 * The meaning of a status of a vendor. `unknown`: the vendor has no data about the value. `key`: the
 * key is wrong or lacks a permission. `quota`: the quota is exhausted. `value`: the vendor does not
 * support the value.
 */
export type StatusMeaning = 'unknown' | 'key' | 'quota' | 'value';

/** A value that vendors accept: valid for its type, and in the usual form of that type. */
export interface VendorSelector {
  readonly type: string;
  readonly value: string;
}

export interface VendorRequest {
  /** Default: the address of the source. */
  readonly base?: string;
  /** Below the address, made by `path`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as a form, with POST. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as JSON, with POST. */
  readonly json?: unknown;
  /** Media types of the answer. Default: JSON. */
  readonly accept?: string;
  /** Seconds for which the answer is kept, for what is the same for all values. Default: not at all. */
  readonly keep?: number;
}

/** The vendor as an adapter asks it, for one call. */
export interface Vendor {
  /** Address of the source, without a final slash. */
  readonly url: string;
  /** Items that the caller wants of one value. */
  readonly limit: number;
  /** Name servers that the settings name, for adapters that do not speak HTTP. */
  readonly servers: readonly string[];
  readonly call: SourceCall;
  /** Returns the JSON of the answer, undefined when the vendor knows nothing. @throws SourceFailure */
  send(request: VendorRequest): Promise<unknown>;
}

export type Findings = ReadonlyMap<VendorSelector, readonly Finding[]>;

/** Describes a vendor that is asked for values, and how its answers are read. */
export interface Adapter {
  readonly name: string;
  /** Name that begins the analytic of its annotations. */
  readonly title: string;
  /** `passive`: the vendor learns the value. `active`: the target may notice. */
  readonly reach: 'passive' | 'active';
  /** Page of the vendor that describes requests and answers. */
  readonly documentation: string;
  readonly types: readonly string[];
  /** Address of the vendor; undefined for software that every organisation hosts itself. */
  readonly url: string | undefined;
  /** The place of the key in requests; absent for vendors without keys. */
  readonly key?: KeyPlace;
  /** Limits of the vendor for a free account, or those that it asks users to respect. */
  readonly rateLimits: readonly string[];
  /** Values of one request. Default 1. */
  readonly valuesPerCall?: number;
  /** Meanings of HTTP statuses, and of values of `statusField`, that differ from the usual ones. */
  readonly statuses?: Readonly<Record<string, StatusMeaning>>;
  /** Field of the answer that has a status; `ok` means that the answer has data. */
  readonly statusField?: string;
  /** Icon of the vendor, `set:name`. */
  readonly icon?: string;
  /** Looks values up. The vendor knows nothing of values without an entry. @throws SourceFailure */
  lookup(selectors: readonly VendorSelector[], vendor: Vendor): Promise<Findings>;
}

export interface KeyPlace {
  readonly in: 'header' | 'query';
  readonly name: string;
  /** The vendor answers without a key, too. Default false. */
  readonly isOptional?: boolean;
}

/** Returns the lookup of a vendor that takes one value at a time. */
export function askEach(
  request: (selector: VendorSelector, vendor: Vendor) => VendorRequest | Promise<VendorRequest | undefined>,
  read: (answer: unknown, selector: VendorSelector, vendor: Vendor) => readonly Finding[],
): Adapter['lookup'] {
  return async (selectors, vendor) => {
    const found = new Map<VendorSelector, readonly Finding[]>();
    for (const selector of selectors) {
      const wanted = await request(selector, vendor);
      const answer = wanted && (await vendor.send(wanted));
      if (answer !== undefined) found.set(selector, withRaw(read(answer, selector, vendor), answer));
    }
    return found;
  };
}

/** Adds the answer to the first finding, unless the findings have their own parts of it. */
function withRaw(findings: readonly Finding[], answer: unknown): readonly Finding[] {
  return findings.map((finding, index) =>
    index === 0 && finding.raw === undefined ? { ...finding, raw: answer } : finding,
  );
}

/** Returns a path from a template. Values are percent-encoded, `.` and `..` too. */
export function path(strings: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: strings }, ...values.map(encoded));
}

/** Percent-encodes a value for a path or a query. */
export function encoded(value: string): string {
  if (value === '.' || value === '..') return value.replaceAll('.', '%2E');
  return encodeURIComponent(value.toWellFormed());
}
