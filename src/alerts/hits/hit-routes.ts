import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Versioned } from '../../datastore/port/collection.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { InvalidInput, isTriadError } from '../../errors/errors.ts';
import { deferred, pathParameters, RefreshQuery } from '../../http/input/input-schemas.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { PreparedJson } from '../../json/sorted-json.ts';
import { checkSortFields } from '../../search/sort-clauses.ts';
import { idOf } from '../example-ids.ts';
import type { HitMetadata } from '../metadata/hit-metadata.ts';
import { READ, WRITE, WRITE_UNAUDITED } from '../record-access.ts';
import { itemOfV1, VersionedAnswers } from '../search/item-shape.ts';
import { changeLabels } from './changes/hit-labels.ts';
import * as schemas from './hit-schemas.ts';
import type { HitService } from './hit-service.ts';
import { type HitStore, hitMissing } from './hit-store.ts';
import { withPauses } from './record-service.ts';

const params = schemas.ById;
const ByLabelSet = pathParameters({ id: idOf('hit'), label_set: ['Kind of the labels.', 'generic'] });
const response = { 200: schemas.HitReply };
/** Schema of the routes that change one alert and answer with it. */
const ofHit = { params, querystring: RefreshQuery, response };

/** `/api/v1/hit`: alerts as a whole, and their labels. */
export const hitRoutes =
  ({ service, store, metadata }: { service: HitService; store: HitStore; metadata: HitMetadata }): RouteModule =>
  (app) => {
    const answers = new VersionedAnswers();
    app.post(
      '/api/v1/hit/',
      {
        access: WRITE,
        schema: {
          summary: 'Create alerts, all of them or none',
          querystring: schemas.NewHitsQuery,
          body: schemas.NewHitsBody,
          response: { 201: schemas.CreatedReply },
        },
      },
      async ({ actor, body, query }, reply) => {
        const unknown = query.ignore_extra_values ? 'warn' : 'refuse';
        const { valid: read, invalid } = await service.read(actor, body, { unknown });
        const hits = read.map(({ record }) => record);
        const warnings = read.flatMap((one) => one.warnings);
        if (invalid.length > 0) {
          for (const warning of warnings) reply.warn(warning);
          const message = invalid.map(({ error }) => error).join(', ');
          throw new InvalidInput('invalid_hits', message, { response: { valid: hits, invalid } });
        }
        const creating = service.create(actor, hits, query.refresh, hits);
        const valid = await writtenDuring(creating, hits);
        warnings.push(...(await creating).warnings);
        for (const warning of warnings) reply.warn(warning);
        return { valid, invalid, warnings };
      },
    );

    app.post(
      '/api/v1/hit/validate',
      {
        access: 'public',
        schema: {
          summary: 'Check alerts without storing them',
          body: schemas.NewHitsBody,
          response: { 200: schemas.ValidatedReply },
        },
      },
      async ({ body }) => schemas.validated(body, (await service.read(undefined, body)).invalid),
    );

    app.delete(
      '/api/v1/hit/',
      {
        access: WRITE,
        schema: {
          summary: 'Delete alerts, all of them or none; for administrators',
          response: NO_CONTENT,
          refusals: [404],
          querystring: RefreshQuery,
          body: schemas.DeletedBody,
        },
      },
      ({ actor, body, query }) => service.delete(actor, body, query.refresh),
    );

    app.get(
      '/api/v1/hit/user',
      {
        access: READ,
        schema: {
          summary: 'List the alerts assigned to the caller',
          querystring: schemas.AssignedQuery,
          response: { 200: Type.Array(schemas.HitReply) },
        },
      },
      async ({ actor, query }) => {
        checkSortFields([hitDocument], query.sort);
        const items = await service.assigned(actor, query);
        return items.map((item) => itemOfV1(hitDocument, item, query.fl));
      },
    );

    app.get(
      '/api/v1/hit/:id',
      {
        access: READ,
        schema: {
          ...ofHit,
          summary: 'Get an alert',
          querystring: schemas.GetQuery,
          response: { ...response, 304: {} },
        },
      },
      async ({ actor, params, query, headers }, reply) => {
        if (query.metadata === undefined) {
          const stored = await store.getStored(actor, params.id);
          if (headers['if-match'] === stored.version) return reply.code(304).send();
          reply.header('etag', stored.version);
          return answers.of(`${stored.version} ${params.id}`, () => toOutput(hitDocument, stored.document));
        }
        const found = await store.get(actor, params.id);
        const [added] = await metadata.of(actor, [found.document], query.metadata);
        return { ...withVersion(reply, found), ...added };
      },
    );

    app.put(
      '/api/v1/hit/:id/overwrite',
      {
        access: WRITE_UNAUDITED,
        schema: {
          ...ofHit,
          summary: 'Put fields into an alert',
          querystring: schemas.OverwriteQuery,
          body: deferred(schemas.PartialHitBody),
        },
      },
      async ({ actor, params, body, query }, reply) => {
        const options = { replaceLists: query.replace, visible: query.refresh };
        return withVersion(reply, await service.overwrite(actor, params.id, body, options, hitMissing));
      },
    );

    app.put(
      '/api/v1/hit/:id/update',
      {
        access: WRITE_UNAUDITED,
        schema: { ...ofHit, summary: 'Apply operations to an alert', body: schemas.OperationsBody },
      },
      async ({ actor, params, body, query }, reply) =>
        withVersion(reply, await service.update(actor, params.id, body, query.refresh)),
    );

    app.put(
      '/api/v1/hit/update',
      {
        access: WRITE_UNAUDITED,
        schema: {
          summary: 'Apply operations to every alert that matches a query',
          querystring: RefreshQuery,
          body: schemas.UpdateWhereBody,
          response: { 200: schemas.SuccessReply },
        },
      },
      async ({ actor, body, query }) => {
        try {
          await service.updateWhere(actor, body.query, body.operations, { visible: query.refresh });
        } catch (error) {
          // Clients of the public system get its plain success for a query that cannot be read, as for one without matches.
          if (!isTriadError(error) || error.code !== 'invalid_query') throw error;
        }
      },
    );

    for (const { method, summary, kind } of [
      { method: 'PUT', summary: 'Add labels', kind: 'append' },
      { method: 'DELETE', summary: 'Remove labels', kind: 'remove' },
    ] as const) {
      app.route({
        method,
        url: '/api/v1/hit/:id/labels/:label_set',
        access: WRITE_UNAUDITED,
        schema: { ...ofHit, summary, params: ByLabelSet, body: deferred(schemas.LabelsBody) },
        handler: async ({ actor, params, body, query }, reply) =>
          withVersion(reply, await changeLabels(kind, store, actor, params, () => body().value, query.refresh)),
      });
    }
  };

/** Writes alerts for the answer while others store them. Failures of `storing` are for the caller. */
async function writtenDuring(storing: Promise<unknown>, hits: readonly Hit[]): Promise<readonly PreparedJson[]> {
  storing.catch(() => undefined);
  // The records to store are sent first.
  await setImmediate();
  const written: PreparedJson[] = [];
  for await (const hit of withPauses(hits)) written.push(new PreparedJson(hit));
  return written;
}

/** Returns the alert and sets its version in the header that clients send back. */
export function withVersion(reply: FastifyReply, { document, version }: Versioned<Hit>): Hit {
  reply.header('etag', version);
  return document;
}
