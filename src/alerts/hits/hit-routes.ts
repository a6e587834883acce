import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Versioned } from '../../datastore/port/collection.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { InvalidInput, isTriadError } from '../../errors/errors.ts';
import { deferred, RefreshQuery } from '../../http/input/input-schemas.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { names, reading, refusing } from '../../input/input-kinds.ts';
import type { InputProblem } from '../../input/input-reader.ts';
import { PreparedJson } from '../../json/sorted-json.ts';
import type { HitMetadata } from '../metadata/hit-metadata.ts';
import { itemOfV1 } from '../search/item-shape.ts';
import { fl, sort } from '../search/search-schemas.ts';
import { checkSortFields } from '../search/sort-clauses.ts';
import { VersionedAnswers } from '../versioned-answers.ts';
import * as schemas from './hit-schemas.ts';
import type { HitService } from './hit-service.ts';
import { withPauses } from './ingest/raw-record.ts';

export interface HitRouteDependencies {
  service: HitService;
  metadata: Pick<HitMetadata, 'of'>;
}

const { tags } = schemas;
const versioned = { 200: schemas.HitReply };

const wrongIds = ({ kind, at }: InputProblem) =>
  kind === 'missing' && at === ''
    ? new InvalidInput('no_hits', 'No hit ids were sent.')
    : new InvalidInput('invalid_body', 'The body must be a list of hit ids.');
const DeletedBody = refusing(Type.Array(refusing(Type.String(), wrongIds)), wrongIds);

/** A whole number of a query string; anything else counts as absent, as in the public system. */
const integerOr = (usual: number) =>
  reading(Type.Integer({ minimum: 0, default: usual }), {
    accept: (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined),
  });

/** `/api/v1/hit`: alerts as a whole. */
export const hitRoutes =
  ({ service, metadata }: HitRouteDependencies): RouteModule =>
  (app) => {
    const answers = new VersionedAnswers();
    app.post(
      '/api/v1/hit/',
      {
        access: schemas.WRITE_AUDITED,
        schema: {
          tags,
          summary: 'Create alerts, all of them or none',
          querystring: schemas.NewHitsQuery,
          body: schemas.NewHitsBody,
          response: { 201: schemas.CreatedReply },
        },
      },
      async ({ actor, body, query }, reply) => {
        const unknown = query.ignore_extra_values ? 'warn' : 'refuse';
        const { valid: read, invalid } = await service.read(actor, body, { unknown });
        const hits = read.map(({ hit }) => hit);
        const warnings = read.flatMap((one) => one.warnings);
        if (invalid.length > 0) {
          for (const warning of warnings) reply.warn(warning);
          const message = invalid.map(({ error }) => error).join(', ');
          throw new InvalidInput('invalid_hits', message, { response: { valid: hits, invalid } });
        }
        const creating = service.create(actor, hits, query.refresh);
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
          tags,
          summary: 'Check alerts without storing them',
          body: schemas.NewHitsBody,
          response: { 200: schemas.ValidatedReply },
        },
      },
      async ({ body }) => {
        const { invalid } = await service.read(undefined, body);
        const refused = new Set(invalid.map(({ input }) => input));
        return { valid: body.filter((input) => !refused.has(input)), invalid };
      },
    );

    app.delete(
      '/api/v1/hit/',
      {
        access: schemas.WRITE_AUDITED,
        schema: {
          tags,
          summary: 'Delete alerts, all of them or none; for administrators',
          response: NO_CONTENT,
          querystring: RefreshQuery,
          body: DeletedBody,
        },
      },
      async ({ actor, body, query }) => {
        await service.delete(actor, body, query.refresh);
      },
    );

    app.get(
      '/api/v1/hit/user',
      {
        access: schemas.READ_AUDITED,
        schema: {
          tags,
          summary: 'List the alerts assigned to the caller',
          querystring: Type.Object({
            offset: integerOr(0),
            rows: integerOr(25),
            sort,
            fl,
          }),
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
        access: schemas.READ_AUDITED,
        schema: {
          tags,
          summary: 'Get an alert',
          params: schemas.ById,
          querystring: Type.Object({
            metadata: Type.Optional(
              names({ description: 'What to add, separated by commas: template, overview, analytic, dossiers.' }),
            ),
          }),
          response: { ...versioned, 304: {} },
        },
      },
      async ({ actor, params, query, headers }, reply) => {
        if (query.metadata === undefined) {
          const stored = await service.getStored(actor, params.id);
          if (headers['if-match'] === stored.version) return reply.code(304).send();
          reply.header('etag', stored.version);
          return answers.of(`${stored.version} ${params.id}`, () => toOutput(hitDocument, stored.document));
        }
        const found = await service.get(actor, params.id);
        const [added] = await metadata.of(actor, [found.document], query.metadata);
        return { ...withVersion(reply, found), ...added };
      },
    );

    app.put(
      '/api/v1/hit/:id/overwrite',
      {
        access: schemas.WRITE,
        schema: {
          tags,
          summary: 'Put fields into an alert',
          params: schemas.ById,
          querystring: schemas.OverwriteQuery,
          body: deferred(schemas.PartialHitBody),
          response: versioned,
        },
      },
      async ({ actor, params, body, query }, reply) => {
        const options = { replaceLists: query.replace, visible: query.refresh };
        return withVersion(reply, await service.overwrite(actor, params.id, body, options));
      },
    );

    app.put(
      '/api/v1/hit/:id/update',
      {
        access: schemas.WRITE,
        schema: {
          tags,
          summary: 'Apply operations to an alert',
          params: schemas.ById,
          querystring: RefreshQuery,
          body: schemas.OperationsBody,
          response: versioned,
        },
      },
      async ({ actor, params, body, query }, reply) =>
        withVersion(reply, await service.update(actor, params.id, body, query.refresh)),
    );

    app.put(
      '/api/v1/hit/update',
      {
        access: schemas.WRITE,
        schema: {
          tags,
          summary: 'Apply operations to every alert that matches a query',
          querystring: RefreshQuery,
          body: schemas.UpdateWhereBody,
          response: { 200: Type.Object({ success: Type.Boolean() }) },
        },
      },
      async ({ actor, body, query }) => {
        const update = () => service.updateWhere(actor, body.query, body.operations, { visible: query.refresh });
        await ignoringUnreadableQuery(update);
        return { success: true };
      },
    );
  };

/**
 * The alerts as the answer has them, written while they are being stored: another process or thread does that, and this one would wait.
 * A failure of `storing` is for whoever awaits it.
 */
async function writtenDuring(storing: Promise<unknown>, hits: readonly Hit[]): Promise<readonly PreparedJson[]> {
  storing.catch(() => undefined);
  // What is to be stored goes off first.
  await setImmediate();
  const written: PreparedJson[] = [];
  for await (const hit of withPauses(hits)) written.push(new PreparedJson(hit));
  return written;
}

/** The alert, with its version in the header that clients send back. */
export function withVersion(reply: FastifyReply, { document, version }: Versioned<Hit>): Hit {
  reply.header('etag', version);
  return document;
}

/** A query that cannot be read finds nothing: clients of the public system get its plain success for it, as for one without matches. */
async function ignoringUnreadableQuery(update: () => Promise<unknown>): Promise<void> {
  try {
    await update();
  } catch (error) {
    if (!isTriadError(error) || error.code !== 'invalid_query') throw error;
  }
}
