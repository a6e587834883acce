import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ANALYSIS_DOCUMENTS } from '../../src/documents/all-documents.ts';
import type { DocumentDefinition } from '../../src/documents/schema/document-definition.ts';
import { isObject } from '../../src/documents/schema/plain-objects.ts';
import { wholeOutput } from '../../src/documents/schema/whole-output.ts';
import { analysisSession } from '../../src/testing/analysis-session.ts';
import { seedDocuments } from '../../src/testing/seed-document.ts';
import type { TestProgram } from '../../src/testing/start-test-program.ts';
import { startAnalysisProgram } from '../golden/analysis-program.ts';
import { pythonWith, runPython } from './python-clients.ts';

/** Random documents of each kind. */
const COUNT = 200;
/** Kinds that no search of the interface reaches. */
const UNSEARCHED = new Set([
  'cached_file',
  'filescore',
  'service',
  'service_delta',
  'submission_summary',
  'submission_tree',
]);

interface RandomDocument {
  readonly id: string;
  readonly document: Readonly<Record<string, unknown>>;
}
interface Model {
  readonly fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly documents: RandomDocument[];
}

describe('random documents of the public model', async () => {
  const environment = await pythonWith(join(import.meta.dirname, 'odm-requirements.txt'), 'odm');
  if ('reason' in environment) {
    it('every kind: not run', { skip: environment.reason });
    return;
  }
  const models = new Map<string, Model>();
  let program: TestProgram;
  let headers: Readonly<Record<string, string>>;
  before(async () => {
    const script = join(import.meta.dirname, 'odm_documents.py');
    for (const line of await runPython(environment.python, [script, String(COUNT)])) {
      const { kind, fields, id, document } = JSON.parse(line);
      if (fields !== undefined) models.set(kind, { fields, documents: [] });
      else models.get(kind)?.documents.push({ id, document });
    }
    // The model knows the built-in classifications, and does not enforce them.
    program = await startAnalysisProgram({ 'analysis.analyzers.enabled': 'none' });
    headers = await analysisSession(program, 'admin', 'admin');
  });
  after(() => program.close());

  it('are of every kind', () => {
    assert.deepEqual([...models.keys()].sort(), ANALYSIS_DOCUMENTS.map(({ name }) => name).sort());
  });

  for (const kind of ANALYSIS_DOCUMENTS) {
    const definition = kind as unknown as DocumentDefinition<object>;
    const { name } = definition;
    it(`${name} come back as they were stored`, async () => {
      const documents = models.get(name)?.documents ?? [];
      assert.equal(documents.length, COUNT);
      await seedDocuments(program, definition, documents);
      const found = UNSEARCHED.has(name) ? await stored(definition, documents) : await searched(name);
      for (const { id, document } of documents) assert.deepEqual(found.get(id), withoutNulls(document), id);
    });

    if (UNSEARCHED.has(name)) continue;
    it(`${name} have the fields of the model`, async () => {
      const { json, text, status } = await ask(`fields/${name}/`);
      assert.equal(status, 200, text);
      const { id, ...fields } = json.api_response;
      assert.deepEqual(id, { default: true, indexed: true, list: false, stored: false, type: 'keyword' });
      const mappings = definition.ownFields.filter(({ type }) => type === 'mapping').map(({ path }) => path);
      const isOfMapping = (path: string) => mappings.some((mapping) => `${path}.`.startsWith(`${mapping}.`));
      const own = Object.entries(fields).filter(([path]) => !isOfMapping(path));
      assert.deepEqual(Object.fromEntries(own), models.get(name)?.fields);
    });
  }

  const ask = (path: string, body?: object) =>
    program.request(`/api/v4/search/${path}`, {
      service: 'analysis',
      headers,
      ...(body === undefined ? {} : { method: 'POST', json: body }),
    });

  /** The documents of an index as searches show them. */
  async function searched(index: string): Promise<ReadonlyMap<string, unknown>> {
    const { status, json, text } = await ask(`${index}/`, { query: '*', fl: '*,id', rows: 10 * COUNT });
    assert.equal(status, 200, text);
    return new Map(json.api_response.items.map(({ id, ...item }: { id: string }) => [id, withoutNulls(item)]));
  }

  /** The documents of a kind that no search reaches, as routes answer them. */
  async function stored(definition: DocumentDefinition<object>, documents: readonly RandomDocument[]) {
    const collection = program.foundation.datastore.collection(definition);
    const access = { filter: { kind: 'all' } as const, admits: () => true, username: undefined };
    const read = await collection.getMany(
      documents.map(({ id }) => id),
      access,
    );
    return new Map(
      documents.map(({ id }, index) => [
        id,
        withoutNulls(JSON.parse(JSON.stringify(wholeOutput(definition, read[index] as object)))),
      ]),
    );
  }
});

/** The model and most answers have null for what a document lacks. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
}
