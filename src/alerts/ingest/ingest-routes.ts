import { type TSchema, Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { eventDocument } from '../../documents/kinds/event.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { RefreshQuery } from '../../http/input/input-schemas.ts';
import { sendVersion } from '../../http/input/record-versions.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { converted, field, reading, refusing } from '../../input/input-kinds.ts';
import type { InputProblem } from '../../input/input-reader.ts';
import { NewHitsQuery, OverwriteQuery, UpdateWhereBody } from '../hits/hit-schemas.ts';
import { WRITE } from '../record-access.ts';
import { INGEST_INDEXES, type IngestIndex, type IngestService } from './ingest-service.ts';

const tags = ['ingest'];
const Index = field(Type.Union(INGEST_INDEXES.map((index) => Type.Literal(index))));
/** The index of a path. `several` refuses a list of them. */
const newIn = (several: string) =>
  Type.Object({ index: converted(Index, (given) => indexOfNew(String(given), several)) });
const IndexesParameters = Type.Object({
  indexes: converted(Type.String({ description: 'Separated by commas: `hit,event`.' }), allIndexes),
});
const NewRecord = Type.Record(Type.String(), Type.Unknown(), { description: 'Nested or with dotted keys.' });
/** Their definition checks the records when they are read. */
const RecordsBody = refusing(Type.Array(field(NewRecord)), ({ kind }) =>
  kind === 'missing'
    ? new InvalidInput('no_records', 'No records were sent.')
    : new InvalidInput('invalid_body', 'JSON Payload must be a list of records.'),
);
const wrongIds = ({ kind, at }: InputProblem) =>
  kind === 'missing' && at === ''
    ? new InvalidInput('no_records', 'No hit ids were sent.')
    : new InvalidInput('invalid_body', 'The body must be a list of record ids.');
const IdsBody = refusing(Type.Array(refusing(Type.String(), wrongIds)), wrongIds);
const PartialRecord = refusing(
  NewRecord,
  () => new InvalidInput('invalid_body', 'The JSON payload must be a subset of a valid record.'),
);
const RecordReply: TSchema = Type.Unsafe({ anyOf: [jsonSchema(hitDocument), jsonSchema(eventDocument)] });

/** `/api/v2/ingest`: records of tools, in numbers. */
export const ingestRoutes =
  ({ ingest }: { ingest: IngestService }): RouteModule =>
  (app) => {
    app.post(
      '/api/v2/ingest/:index',
      {
        access: WRITE,
        schema: {
          tags,
          summary: 'Create records, all of them or none',
          params: newIn('You cannot create in multiple indexes.'),
          querystring: NewHitsQuery,
          body: RecordsBody,
          response: { 201: Type.Array(Type.String({ description: 'Identifier.' })) },
        },
      },
      async ({ actor, params, body, query }, reply) => {
        const options = { unknown: query.ignore_extra_values ? 'warn' : 'refuse', visible: query.refresh } as const;
        const { ids, warnings } = await ingest.create(actor, params.index, body, options);
        for (const warning of warnings) reply.warn(warning);
        return ids;
      },
    );

    app.post(
      '/api/v2/ingest/:index/validate',
      {
        access: 'public',
        schema: {
          tags,
          summary: 'Check records without storing them',
          params: newIn('You cannot validate across multiple indexes.'),
          // Clients of the public system may send an empty object for no records.
          body: reading(RecordsBody, {
            accept: (body) => (isObject(body) && Object.keys(body).length === 0 ? [] : body),
          }),
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
        const invalid = await ingest.validate(params.index, body);
        const refused = new Set(invalid.map(({ input }) => input));
        return { valid: body.filter((input) => !refused.has(input)), invalid };
      },
    );

    app.delete(
      '/api/v2/ingest/:indexes',
      {
        access: WRITE,
        schema: {
          tags,
          summary: 'Delete records, all of them or none; for administrators',
          response: NO_CONTENT,
          params: IndexesParameters,
          querystring: RefreshQuery,
          body: IdsBody,
        },
      },
      async ({ actor, params, body, query }) => {
        await ingest.delete(actor, params.indexes, body, query.refresh);
      },
    );

    app.patch(
      '/api/v2/ingest/:index/:id/overwrite',
      {
        access: WRITE,
        schema: {
          tags,
          summary: 'Put fields into a record',
          params: Type.Object({ index: converted(Index, (given) => oneIndex(String(given))), id: Type.String() }),
          querystring: OverwriteQuery,
          body: PartialRecord,
          response: { 200: RecordReply },
        },
      },
      async ({ actor, params, body, query }, reply) => {
        const options = { replaceLists: query.replace, visible: query.refresh };
        const { document, version } = await ingest.overwrite(actor, params.index, params.id, body, options);
        sendVersion(reply, version);
        return document;
      },
    );

    app.put(
      '/api/v2/ingest/:indexes/update',
      {
        access: WRITE,
        schema: {
          tags,
          summary: 'Apply operations to every record that matches a query',
          params: IndexesParameters,
          querystring: RefreshQuery,
          body: UpdateWhereBody,
          response: { 200: Type.Object({ success: Type.Boolean() }) },
        },
      },
      async ({ actor, params, body, query }) => {
        const { query: matching, operations } = body;
        return { success: await ingest.updateWhere(actor, params.indexes, matching, operations, query.refresh) };
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

/** @throws InvalidInput `several_indexes`, `unknown_index` */
function oneIndex(given: string): IngestIndex {
  rejectSeveral(given, 'You cannot overwrite across multiple indexes.');
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
