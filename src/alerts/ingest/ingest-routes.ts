import { type TSchema, Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { eventDocument } from '../../documents/kinds/event.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { RefreshQuery as querystring, wrongBody } from '../../http/input/input-schemas.ts';
import { sendVersion } from '../../http/input/record-versions.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { converted, field, reading, refusing } from '../../input/input-kinds.ts';
import { EXAMPLE_IDS } from '../example-ids.ts';
import {
  deletedIds,
  NewHitsQuery,
  OverwriteQuery,
  SuccessReply,
  UpdateWhereBody,
  validated,
  validatedReply,
} from '../hits/hit-schemas.ts';
import { WRITE as access } from '../record-access.ts';
import { INGEST_INDEXES, type IngestIndex, type IngestService } from './ingest-service.ts';

const Index = field(
  Type.Union(
    INGEST_INDEXES.map((index) => Type.Literal(index)),
    { description: 'Kind of the records.', examples: ['hit'] },
  ),
);
/** The index of new records. `several` refuses a list of them. */
const newIn = (several: string) =>
  Type.Object({ index: converted(Index, (given) => indexOfNew(String(given), several)) });
const ByRecord = Type.Object({
  index: converted(Index, (given) => oneIndex(String(given))),
  id: Type.String({ description: 'Identifier of the record.', examples: [EXAMPLE_IDS.hit] }),
});
const Indexes = converted(
  Type.String({ description: 'Kinds of the records, separated by commas: `hit,event`.', examples: ['hit'] }),
  allIndexes,
);
const ofIndexes = { params: Type.Object({ indexes: Indexes }), querystring };
const NewRecord = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Nested or with dotted keys.',
  examples: [{ 'source.ip': '203.0.113.9' }],
});
const NEW_RECORD = { 'howler.analytic': 'Impossible Travel', 'source.ip': '203.0.113.7' };
/** The definition of their documents checks the records when they are read. */
const RecordsBody = refusing(Type.Array(field(NewRecord), { examples: [[NEW_RECORD]] }), ({ kind }) =>
  kind === 'missing'
    ? new InvalidInput('no_records', 'No records were sent.')
    : new InvalidInput('invalid_body', 'JSON Payload must be a list of records.'),
);
/** Clients of the public system may send an empty object for no records. */
const CheckedBody = reading(RecordsBody, {
  accept: (sent) => (isObject(sent) && Object.keys(sent).length === 0 ? [] : sent),
});
const DeletedBody = deletedIds('no_records', 'record');
const PartialRecord = refusing(NewRecord, wrongBody('The JSON payload must be a subset of a valid record.'));
const RecordReply: TSchema = Type.Unsafe({ anyOf: [jsonSchema(hitDocument), jsonSchema(eventDocument)] });

/** `/api/v2/ingest`: records of tools, in numbers. */
export const ingestRoutes =
  ({ ingest }: { ingest: IngestService }): RouteModule =>
  (app) => {
    app.post(
      '/api/v2/ingest/:index',
      {
        access,
        schema: {
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
          summary: 'Check records without storing them',
          params: newIn('You cannot validate across multiple indexes.'),
          body: CheckedBody,
          response: { 200: validatedReply(NewRecord) },
        },
      },
      async ({ params, body }) => validated(body, (await ingest.kind(params.index).read(undefined, body)).invalid),
    );

    app.delete(
      '/api/v2/ingest/:indexes',
      {
        access,
        schema: {
          ...ofIndexes,
          summary: 'Delete records, all of them or none; for administrators',
          response: NO_CONTENT,
          body: DeletedBody,
        },
      },
      ({ actor, params, body, query }) => ingest.delete(actor, params.indexes, body, query.refresh),
    );

    app.patch(
      '/api/v2/ingest/:index/:id/overwrite',
      {
        access,
        schema: {
          summary: 'Put fields into a record',
          params: ByRecord,
          querystring: OverwriteQuery,
          body: PartialRecord,
          response: { 200: RecordReply },
        },
      },
      async ({ actor, params, body, query }, reply) => {
        const options = { replaceLists: query.replace, visible: query.refresh, audience: 'viewers' } as const;
        const { document, version } = await ingest.kind(params.index).overwrite(actor, params.id, () => body, options);
        sendVersion(reply, version);
        return document;
      },
    );

    app.put(
      '/api/v2/ingest/:indexes/update',
      {
        access,
        schema: {
          ...ofIndexes,
          summary: 'Apply operations to every record that matches a query',
          body: UpdateWhereBody,
          response: { 200: SuccessReply },
        },
      },
      async ({ actor, params, body, query }) => ({
        success: await ingest.updateWhere(actor, params.indexes, body.query, body.operations, query.refresh),
      }),
    );
  };

/** Unknown names count as the index of alerts, as in recordings. @throws `several_indexes` */
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

/** Returns each index once. @throws InvalidInput `unknown_index` */
function allIndexes(given: string): readonly IngestIndex[] {
  return [...new Set(given.split(',').map((name) => knownIndex(name.trim())))];
}

function knownIndex(name: string): IngestIndex {
  const index = INGEST_INDEXES.find((known) => known === name);
  if (index !== undefined) return index;
  const message = `Not a valid index to ingest into: ${name}. Use one of ${INGEST_INDEXES.join(', ')}.`;
  throw new InvalidInput('unknown_index', message, { at: 'index' });
}
