import type { Readable } from 'node:stream';
import type { ClassificationEngine } from '../../classification/classification.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { isTriadError, messageOf } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { parseJson } from '../../json/lossless-json.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';

/** A system that is asked what it knows of a value (`ui.external_sources`). */
export interface ExternalSource {
  readonly name: string;
  /** Address that `/tags/` and `/details/` follow. */
  readonly url: string;
  /** Clearance without which its existence is not shown; null: all users. */
  readonly classification: string | null;
  /** Highest classification of what it may be asked; null: unrestricted. */
  readonly max_classification: string | null;
}

/** The answer of a source: what it knows, or why it does not answer. */
export interface SourceAnswer {
  readonly error: string | null;
  readonly items: readonly unknown[];
}

export interface Question {
  /** Type of the value: `sha256`, `network.static.ip`. */
  readonly type: string;
  readonly value: string;
  /** Classification of the value. */
  readonly classification: string;
  /** Items of an answer, at most. */
  readonly limit: number;
  /** Milliseconds. */
  readonly timeout: number;
}

export interface ExternalSourcesDependencies {
  readonly sources: readonly ExternalSource[];
  readonly outbound: Pick<OutboundClient, 'request'>;
  readonly classification: ClassificationEngine;
  readonly log: { warn(details: object, message: string): void };
}

export const NOT_FOUND = 'File hash not found.';
export const NOT_SUPPORTED = 'Unsupported hash type.';
/** Bytes of an answer that are read. */
const MAX_ANSWER = 4 * 1024 * 1024;
const TAGS_TIMEOUT = 3000;
/** Milliseconds for which the types that a source supports are kept. */
const TAGS_LIFETIME = 300_000;

/** Asks other systems what they know of a value. */
export class ExternalSources {
  readonly #dependencies: ExternalSourcesDependencies;
  readonly #tags = new Map<string, { readonly types: ReadonlyMap<string, string>; readonly at: number }>();

  constructor(dependencies: ExternalSourcesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the sources that the actor may know of. */
  visibleTo(actor: Pick<Actor, 'classification'>): readonly ExternalSource[] {
    return this.#dependencies.sources.filter(({ classification }) => this.#sees(actor, classification));
  }

  /** Returns the types that the actor may ask a source for. */
  async typesOf(actor: Pick<Actor, 'classification'>, source: ExternalSource): Promise<readonly string[]> {
    return [...(await this.#typesOf(source))].flatMap(([type, needed]) => (this.#sees(actor, needed) ? [type] : []));
  }

  /** Asks a source. A failure of the source is part of the answer. */
  async ask(actor: Pick<Actor, 'classification'>, source: ExternalSource, question: Question): Promise<SourceAnswer> {
    const { classification, log } = this.#dependencies;
    const { type, value, limit, timeout } = question;
    if (!(await this.typesOf(actor, source)).includes(type)) return { error: NOT_SUPPORTED, items: [] };
    const most = source.max_classification ?? classification.unrestricted;
    if (!classification.isAccessible(most, question.classification, true)) {
      return { error: 'File hash classification exceeds max classification.', items: [] };
    }
    // Proxies in between decode the path once, so it is encoded twice.
    const encoded = encodeURIComponent(encodeURIComponent(value));
    const query = new URLSearchParams({ limit: String(limit), max_timeout: String(timeout / 1000) });
    const url = `${source.url}/details/${encodeURIComponent(type)}/${encoded}/?${query}`;
    try {
      const { status, body } = await this.#get(url, timeout);
      if (status === 404 || status === 422) return { error: NOT_FOUND, items: [] };
      if (status !== 200) throw new Error(`status ${status}`);
      const found = isObject(body) ? [body.api_response ?? []].flat() : undefined;
      if (found === undefined) throw new Error('the answer has not the expected form');
      const items = found.filter((item) => isObject(item) && this.#seesItem(actor, source, item));
      return { error: null, items: items.slice(0, limit) };
    } catch (error) {
      log.warn({ source: source.name, err: error }, `the external source ${source.name} did not answer as expected`);
      const reason = isTriadError(error) ? error.message : messageOf(error);
      return { error: `x.${source.name} did not answer: ${reason}`, items: [] };
    }
  }

  async #typesOf(source: ExternalSource): Promise<ReadonlyMap<string, string>> {
    const known = this.#tags.get(source.name);
    if (known !== undefined && Date.now() - known.at < TAGS_LIFETIME) return known.types;
    try {
      const { status, body } = await this.#get(`${source.url}/tags/`, TAGS_TIMEOUT);
      const answer = status === 200 && isObject(body) && isObject(body.api_response) ? body.api_response : {};
      const types = new Map(Object.entries(answer).map(([type, needed]) => [type, String(needed)]));
      this.#tags.set(source.name, { types, at: Date.now() });
      return types;
    } catch (error) {
      const message = `the external source ${source.name} did not tell what it supports`;
      this.#dependencies.log.warn({ source: source.name, err: error }, message);
      return known?.types ?? new Map();
    }
  }

  async #get(url: string, timeout: number): Promise<{ readonly status: number; readonly body: unknown }> {
    const { outbound } = this.#dependencies;
    const signal = AbortSignal.timeout(timeout);
    const { status, content } = await outbound.request({
      url,
      headers: { accept: 'application/json' },
      timeout,
      signal,
    });
    const text = await limitedText(content);
    return { status, body: status === 200 ? parseJson(text) : undefined };
  }

  #sees({ classification: own }: Pick<Actor, 'classification'>, needed: string | null): boolean {
    return this.#dependencies.classification.isAccessible(own, needed, true);
  }

  /** Items without a classification have that of their source. */
  #seesItem(actor: Pick<Actor, 'classification'>, source: ExternalSource, item: Readonly<Record<string, unknown>>) {
    const { classification } = item;
    return this.#sees(actor, typeof classification === 'string' ? classification : source.classification);
  }
}

async function limitedText(content: Readable): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER) throw new Error(`the answer is larger than ${MAX_ANSWER} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
