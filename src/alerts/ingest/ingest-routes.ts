import type { TSchema } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { eventDocument } from '../../documents/kinds/event.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { objectBody, requiredMember, textListBody } from '../../http/object-body.ts';
import { sendVersion } from '../../http/record-versions.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { Type } from '../../schema/type.ts';
import { readFlag } from '../flag-argument.ts';
import { OPERATIONS, readOperations } from '../hits/changes/update-requests.ts';
import { WRITE } from '../record-access.ts';
import { readRefresh } from '../refresh-argument.ts';
import { INGEST_INDEXES, type IngestIndex, type IngestService } from './ingest-service.ts';

interface ByIndex {
  Params: { index: string };
}
interface ByRecord {
  Params: { index: string; id: string };
}
interface ByIndexes {
  Params: { indexes: string };
}

const tags = ['ingest'];
const Index = Type.Union(INGEST_INDEXES.map((index) => Type.Literal(index)));
const IndexParameters = Type.Object({ index: Index });
const IndexesParameters = Type.Object({ indexes: Type.String({ description: 'Separated by commas: `hit,event`.' }) });
const RefreshArgument = {
  refresh: Type.Optional(
    Type.String({ description: '`true` or `wait_for`: searches see the change once it is answered. Default `false`.' }),
  ),
};
const RefreshQuery = Type.Object(RefreshArgument);
const NewRecord = Type.Record(Type.String(), Type.Unknown(), { description: 'Nested or with dotted keys.' });
const RecordReply: TSchema = Type.Unsafe({ anyOf: [jsonSchema(hitDocument), jsonSchema(eventDocument)] });

/** `/api/v2/ingest`: records of tools, in numbers. */
export const ingestRoutes =
  ({ ingest }: { ingest: IngestService }): RouteModule =>
  (app) => {
    app.post<ByIndex>(
      '/api/v2/ingest/:index',
      {
        access: WRITE,
        schema: {
          tags,
          summary: 'Create records, all of them or none',
          params: IndexParameters,
          querystring: Type.Object({
            ...RefreshArgument,
            ignore_extra_values: Type.Optional(
              Type.Boolean({ description: 'Leave out fields that do not exist, with a warning each.' }),
            ),
          }),
          body: Type.Array(NewRecord),
          response: { 201: Type.Array(Type.String({ description: 'Identifier.' })) },
        },
      },
      async ({ actor, params, body, query }, reply) => {
        const index = indexOfNew(params.index, 'You cannot create in multiple indexes.');
        const inputs = recordsBody(body);
        const unknown = readFlag(query, 'ignore_extra_values') ? 'warn' : 'refuse';
        const { ids, warnings } = await ingest.create(actor, index, inputs, { unknown, visible: readRefresh(query) });
        for (const warning of warnings) reply.warn(warning);
        return ids;
      },
    );

    app.post<ByIndex>(
      '/api/v2/ingest/:index/validate',
      {
        access: 'public',
        schema: {
          tags,
          summary: 'Check records without storing them',
          params: IndexParameters,
          body: Type.Array(NewRecord),
          response: {
            200: Type.Object({
              valid: Type.Array(NewRecord),
              invalid: Type.Array(
                Type.Object({
                  input: Type.Unknown({ description: 'As it was sent.' }),
                  error: Type.String({ description: 'The first thing that is wrong.' }),
                }),
              ),
            }),
          },
        },
      },
      async ({ params, body }) => {
        const inputs = isEmptyObject(body) ? [] : recordsBody(body);
        const index = indexOfNew(params.index, 'You cannot validate across multiple indexes.');
        const invalid = await ingest.validate(index, inputs);
        const refused = new Set(invalid.map(({ input }) => input));
        return { valid: inputs.filter((input) => !refused.has(input)), invalid };
      },
    );

    app.delete<ByIndexes>(
      '/api/v2/ingest/:indexes',
      {
        access: WRITE,
        schema: {
          tags,
          summary: 'Delete records, all of them or none; for administrators',
          response: NO_CONTENT,
          params: IndexesParameters,
          querystring: RefreshQuery,
          body: Type.Array(Type.String()),
        },
      },
      async ({ actor, params, body, query }) => {
        await ingest.delete(actor, allIndexes(params.indexes), idsBody(body), readRefresh(query));
      },
    );

    app.patch<ByRecord>(
      '/api/v2/ingest/:index/:id/overwrite',
      {
        access: WRITE,
        schema: {
          tags,
          summary: 'Put fields into a record',
          params: Type.Object({ index: Index, id: Type.String() }),
          querystring: Type.Object({
            ...RefreshArgument,
            replace: Type.Optional(
              Type.Boolean({ description: 'Lists replace the stored ones instead of being appended.' }),
            ),
          }),
          body: NewRecord,
          response: { 200: RecordReply },
        },
      },
      async ({ actor, params, body, query }, reply) => {
        const index = oneIndex(params.index, 'You cannot overwrite across multiple indexes.');
        const partial = objectBody(body, 'The JSON payload must be a subset of a valid record.');
        const options = { replaceLists: readFlag(query, 'replace'), visible: readRefresh(query) };
        const { document, version } = await ingest.overwrite(actor, index, params.id, partial, options);
        sendVersion(reply, version);
        return document;
      },
    );

    app.put<ByIndexes>(
      '/api/v2/ingest/:indexes/update',
      {
        access: WRITE,
        schema: {
          tags,
          summary: 'Apply operations to every record that matches a query',
          params: IndexesParameters,
          querystring: RefreshQuery,
          body: Type.Object({
            query: Type.String({ description: 'Lucene query of the records to change.' }),
            operations: Type.Array(
              Type.Array(Type.Unknown(), {
                minItems: 3,
                maxItems: 3,
                description: `[operation, field, value]. Operations: ${OPERATIONS.join(', ')}.`,
              }),
            ),
          }),
          response: { 200: Type.Object({ success: Type.Boolean() }) },
        },
      },
      async ({ actor, params, body, query }) => {
        const visible = readRefresh(query);
        const indexes = allIndexes(params.indexes);
        const given = objectBody(body);
        const text = requiredMember(given, 'query');
        if (typeof text !== 'string') {
          throw new InvalidInput('query_not_text', 'The query must be a string.', { at: 'query' });
        }
        const requested = readOperations(requiredMember(given, 'operations'));
        return { success: await ingest.updateWhere(actor, indexes, text, requested, visible) };
      },
    );
  };

/**
 * Where new records belong. What is not an index counts as that of alerts: the recorded conversations of the public system rely on it.
 * @throws InvalidInput `several_indexes` with `message`
 */
function indexOfNew(given: string, message: string): IngestIndex {
  rejectSeveral(given, message);
  return INGEST_INDEXES.find((known) => known === given) ?? 'hit';
}

/** @throws InvalidInput `several_indexes` with `message`, `unknown_index` */
function oneIndex(given: string, message: string): IngestIndex {
  rejectSeveral(given, message);
  return knownIndex(given);
}

function rejectSeveral(given: string, message: string): void {
  if (given.includes(',')) throw new InvalidInput('several_indexes', message, { at: 'index' });
}

/** Each once. @throws InvalidInput `unknown_index` */
function allIndexes(given: string): readonly IngestIndex[] {
  return [...new Set(given.split(',').map((name) => knownIndex(name.trim())))];
}

function knownIndex(name: string): IngestIndex {
  const index = INGEST_INDEXES.find((known) => known === name);
  if (index !== undefined) return index;
  const message = `Not a valid index to ingest into: ${name}. Use one of ${INGEST_INDEXES.join(', ')}.`;
  throw new InvalidInput('unknown_index', message, { at: 'index' });
}

function recordsBody(body: unknown): readonly unknown[] {
  if (body === null || body === undefined) throw new InvalidInput('no_records', 'No records were sent.');
  if (!Array.isArray(body)) throw new InvalidInput('invalid_body', 'JSON Payload must be a list of records.');
  return body;
}

function idsBody(body: unknown): readonly string[] {
  if (body === null || body === undefined) throw new InvalidInput('no_records', 'No hit ids were sent.');
  return textListBody(body, 'The body must be a list of record ids.');
}

/** Clients of the public system may send it for no records. */
function isEmptyObject(body: unknown): boolean {
  return isObject(body) && Object.keys(body).length === 0;
}
