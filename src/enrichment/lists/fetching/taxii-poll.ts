import { isObject } from '../../../json/json-object.ts';
import { jsonParts } from '../formats/json/json-parts.ts';
import type { JsonShape } from '../formats/json/json-scanner.ts';
import { ListProblem, type ListSettings } from '../list-entry.ts';
import { bodyOf } from './address-content.ts';
import type { ListConnection } from './list-connection.ts';
import type { RemoteContext } from './remote-context.ts';
import { MAX_LIST_BYTES } from './unpacked-bytes.ts';

const ACCEPT = { accept: 'application/taxii+json;version=2.1' };
const PAGE: JsonShape = { more: 'more', next: 'next', objects: { '[]': 'object' } };
const COLLECTIONS: JsonShape = { collections: { '[]': 'collection', '}': 'end' } };
/** Objects of a page that are asked for. Servers may send fewer. */
const PAGE_SIZE = 1000;
const MAX_PAGES = 10_000;
/** Types of objects that entries are made of. */
const KEPT: ReadonlySet<unknown> = new Set(['indicator', 'identity', 'marking-definition']);
const MAX_IDENTIFIER = 200;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Start of a page of a collection. */
interface PageStart {
  readonly addedAfter: string | undefined;
  readonly next: string | undefined;
}

/** The update that asks; for tests also another limit of pages. */
type TaxiiContext = Pick<RemoteContext, 'signal' | 'progress'> & { readonly maxPages?: number };

/** Asks a collection for its objects, page by page (TAXII 2.1 sections 3.4 and 5.4). */
export class TaxiiPoll {
  readonly place: string;
  /** Identifiers of the objects that were added after a time, also of those that are revoked. */
  readonly identifiers = new Set<string>();
  readonly #connection: ListConnection;
  readonly #url: URL;
  readonly #context: TaxiiContext;
  #addedAfter: string | undefined;

  constructor(connection: ListConnection, url: URL, context: TaxiiContext) {
    this.place = `${url.origin}${url.pathname}`;
    this.#connection = connection;
    this.#url = url;
    this.#context = context;
  }

  /** Time from which the next poll asks, as the server named it. */
  get addedAfter(): string | undefined {
    return this.#addedAfter;
  }

  /**
   * Yields the objects that were added after a time, each as a line.
   * @throws ListProblem also for pages without an end
   */
  async *objects(addedAfter: string | undefined): AsyncGenerator<string> {
    this.#addedAfter = addedAfter;
    let start: PageStart | undefined = { addedAfter, next: undefined };
    let length = 0;
    let read = 0;
    for (let page = 1; start !== undefined; page += 1) {
      const { maxPages = MAX_PAGES } = this.#context;
      if (page > maxPages) throw new ListProblem(this.place, `it has more than ${maxPages} pages`);
      const answer = await this.#connection.get(this.#pageUrl(start), ACCEPT);
      const about = new Map<string, unknown>();
      const before = read;
      const bytes = bodyOf(answer, (done) => {
        read = before + done;
        this.#context.progress(read, undefined);
      });
      const options = { signal: this.#context.signal, onTooLarge: () => undefined };
      for await (const parts of jsonParts({ place: answer.place, bytes }, PAGE, options)) {
        const lines = parts.flatMap(({ name, value }) =>
          name === 'object' ? this.#line(value, addedAfter !== undefined) : [],
        );
        for (const { name, value } of parts) if (name !== 'object') about.set(name, value);
        const text = lines.join('');
        length += text.length;
        if (length > MAX_LIST_BYTES) throw new ListProblem(this.place, `it has more than ${MAX_LIST_BYTES} bytes`);
        yield text;
      }
      const last = answer.header('x-taxii-date-added-last');
      this.#addedAfter = last ?? this.#addedAfter;
      start = this.#following(start, about, last);
    }
  }

  /** Returns where the next page begins; undefined after the last one. */
  #following(start: PageStart, about: ReadonlyMap<string, unknown>, last: string | undefined): PageStart | undefined {
    if (about.get('more') !== true) return undefined;
    const next = about.get('next');
    const named = typeof next === 'string' && next !== '' ? next : undefined;
    // Without `next`, the next page begins at the time of the last object (section 3.7.1).
    const following = named === undefined ? { addedAfter: last, next: undefined } : { ...start, next: named };
    if (following.next === start.next && following.addedAfter === start.addedAfter) {
      throw new ListProblem(this.place, 'it announces more objects without the place where they begin');
    }
    return following;
  }

  #pageUrl({ addedAfter, next }: PageStart): string {
    const url = new URL('objects/', this.#url);
    url.searchParams.set('limit', String(PAGE_SIZE));
    if (addedAfter !== undefined) url.searchParams.set('added_after', addedAfter);
    if (next !== undefined) url.searchParams.set('next', next);
    return url.href;
  }

  #line(object: unknown, mayReplace: boolean): string[] {
    if (!isObject(object) || !KEPT.has(object.type)) return [];
    const { id } = object;
    if (mayReplace && typeof id === 'string' && id.length <= MAX_IDENTIFIER) this.identifiers.add(id);
    return object.revoked === true ? [] : [storedLine(object)];
  }
}

/** Returns an object as the file of all objects has it: as a page of its own. */
export function storedLine(...objects: readonly unknown[]): string {
  return `${JSON.stringify({ objects })}\n`;
}

/**
 * Returns the address of a collection: the address itself, or that of the collection with an
 * identifier, a title or an alias below the address of an API root.
 * @throws ListProblem when there is none
 */
export async function collectionUrl(
  address: string,
  { collection }: ListSettings,
  connection: ListConnection,
  signal: AbortSignal,
): Promise<URL> {
  const root = new URL(address);
  root.search = '';
  if (!root.pathname.endsWith('/')) root.pathname += '/';
  const [, path] = /^(.*\/collections\/[^/]+\/)(?:objects\/)?$/.exec(root.pathname) ?? [];
  if (path !== undefined) return new URL(path, root);
  const place = `${root.origin}${root.pathname}`;
  if (collection === null) throw new ListProblem(place, 'it needs `collection`, the id or the title of one');
  if (UUID.test(collection)) return new URL(`collections/${collection}/`, root);
  const answer = await connection.get(new URL('collections/', root).href, ACCEPT);
  const bytes = bodyOf(answer, () => undefined);
  const titles: string[] = [];
  const options = { signal, onTooLarge: () => undefined };
  for await (const parts of jsonParts({ place: answer.place, bytes }, COLLECTIONS, options)) {
    for (const { value } of parts) {
      if (!isObject(value) || typeof value.id !== 'string') continue;
      const names = [value.id, value.title, value.alias].map((name) => String(name).toLowerCase());
      if (names.includes(collection.toLowerCase()))
        return new URL(`collections/${encodeURIComponent(value.id)}/`, root);
      if (titles.length < 20) titles.push(String(value.title).slice(0, 100));
    }
  }
  throw new ListProblem(place, `it has no collection "${collection}" (${titles.join(', ')})`);
}
