import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GoldenQuery } from '../../src/datastore/conformance/searches/golden-rows.ts';
import type { SearchEngine } from '../../src/datastore/elasticsearch/transport/search-engine.ts';
import { openSearchEngine } from '../../src/datastore/elasticsearch/transport/search-engine-client.ts';
import { SILENT } from '../../src/datastore/port/datastore-logger.ts';
import type { GoldenServer } from './golden-servers.ts';

interface Answer {
  readonly total?: number;
  readonly ids?: readonly string[];
  readonly error?: true;
}

interface FoundBody {
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly { readonly _id: string }[] };
}

/**
 * A server with the documents of a golden table, asked with the text of queries as the recorded
 * answers were.
 */
export class QueryStringServer {
  readonly #engine: SearchEngine;
  readonly #index: string;

  private constructor(engine: SearchEngine, index: string) {
    this.#engine = engine;
    this.#index = index;
  }

  /** Makes an index of its own from mapping.json and documents.ndjson of the folder. */
  static async open({ vendor, url }: GoldenServer, folder: string): Promise<QueryStringServer> {
    const hosts = [{ name: 'golden', url }];
    const engine = await openSearchEngine({ vendor, hosts, transportTimeout: 60_000, logger: SILENT });
    const server = new QueryStringServer(engine, `golden${randomBytes(6).toString('hex')}`);
    try {
      await server.#fill(folder);
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  /** Undefined: it answers as recorded; else what differs, in a line. */
  async difference(row: GoldenQuery): Promise<string | undefined> {
    const answer = await this.#ask(row);
    if (row.error === true) return answer.error ? undefined : `it was answered, not refused (${row.class})`;
    if (answer.error) return 'it was refused';
    if (answer.total !== row.total) return `total is ${answer.total}, not ${row.total}`;
    return answer.ids?.join() === row.ids?.join() ? undefined : 'other documents were found';
  }

  async close(): Promise<void> {
    await this.#engine.request({ method: 'DELETE', path: `/${this.#index}`, accept: [404] });
    await this.#engine.close();
  }

  async #fill(folder: string): Promise<void> {
    const [mapping, documents] = await Promise.all(
      ['mapping.json', 'documents.ndjson'].map((file) => readFile(join(folder, file), 'utf8')),
    );
    await this.#engine.request({ method: 'PUT', path: `/${this.#index}`, body: JSON.parse(mapping ?? '') });
    const lines = (documents ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => [{ index: { _id: String(JSON.parse(line).id) } }, line]);
    const { body } = await this.#engine.request<{ readonly errors: boolean }>({
      method: 'POST',
      path: `/${this.#index}/_bulk`,
      query: { refresh: true },
      lines,
    });
    if (body.errors) throw new Error('A document of the table was not stored.');
  }

  async #ask({ q, no_default_field }: GoldenQuery): Promise<Answer> {
    const defaults = no_default_field === true ? {} : { default_field: '__text__' };
    const { status, body } = await this.#engine.request<FoundBody>({
      method: 'POST',
      path: `/${this.#index}/_search`,
      body: {
        query: { bool: { must: { query_string: { query: q, ...defaults } }, filter: [] } },
        from: 0,
        size: 1000,
        sort: [{ id: 'asc' }],
        _source: false,
        track_total_hits: true,
      },
      accept: [400, 500],
    });
    if (status >= 400) return { error: true };
    return { total: body.hits.total.value, ids: body.hits.hits.map(({ _id }) => _id) };
  }
}
