import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Versioned } from '../../datastore/port/collection.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { InvalidInput, isTriadError } from '../../errors/errors.ts';
import { objectBody, requiredMember, textListBody } from '../../http/object-body.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { PreparedJson } from '../../json/sorted-json.ts';
import { Type } from '../../schema/type.ts';
import { readFlag } from '../flag-argument.ts';
import type { HitMetadata } from '../metadata/hit-metadata.ts';
import { readRefresh } from '../refresh-argument.ts';
import { splitFieldList } from '../search/fields/field-selection.ts';
import { itemOfV1 } from '../search/item-shape.ts';
import { checkSortFields, readSort } from '../search/sort-clauses.ts';
import { VersionedAnswers } from '../versioned-answers.ts';
import { readOperations } from './changes/update-requests.ts';
import type { ById } from './hit-schemas.ts';
import * as schemas from './hit-schemas.ts';
import type { HitService } from './hit-service.ts';
import { withPauses } from './ingest/raw-record.ts';

export interface HitRouteDependencies {
  service: HitService;
  metadata: Pick<HitMetadata, 'of'>;
}

const { tags } = schemas;
const versioned = { 200: schemas.HitReply };

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
          querystring: Type.Object({
            ...schemas.RefreshArgument,
            ignore_extra_values: Type.Optional(
              Type.Boolean({ description: 'Leave out fields that do not exist, with a warning each.' }),
            ),
          }),
          body: schemas.NewHitsBody,
          response: { 201: schemas.CreatedReply },
        },
      },
      async ({ actor, body, query }, reply) => {
        const visible = readRefresh(query);
        const unknown = readFlag(query, 'ignore_extra_values') ? 'warn' : 'refuse';
        const { valid: read, invalid } = await service.read(actor, hitsBody(body), { unknown });
        const hits = read.map(({ hit }) => hit);
        const warnings = read.flatMap((one) => one.warnings);
        if (invalid.length > 0) {
          for (const warning of warnings) reply.warn(warning);
          const message = invalid.map(({ error }) => error).join(', ');
          throw new InvalidInput('invalid_hits', message, { response: { valid: hits, invalid } });
        }
        const creating = service.create(actor, hits, visible);
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
        const inputs = hitsBody(body);
        const { invalid } = await service.read(undefined, inputs);
        const refused = new Set(invalid.map(({ input }) => input));
        return { valid: inputs.filter((input) => !refused.has(input)), invalid };
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
          querystring: schemas.RefreshQuery,
          body: schemas.IdsBody,
        },
      },
      async ({ actor, body, query }) => {
        await service.delete(actor, idsBody(body), readRefresh(query));
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
            offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
            rows: Type.Optional(Type.Integer({ minimum: 0, default: DEFAULT_ROWS })),
            sort: Type.Optional(Type.String({ description: 'For example `howler.score desc`.' })),
            fl: Type.Optional(Type.String({ description: 'Fields to show, separated by commas.' })),
          }),
          response: { 200: Type.Array(schemas.HitReply) },
        },
      },
      async ({ actor, query }) => {
        const given = query as Readonly<Record<string, unknown>>;
        const sort = readSort(textArgument(given.sort));
        checkSortFields([hitDocument], sort);
        const fields = splitFieldList(textArgument(given.fl));
        const page = { offset: numberArgument(given.offset, 0), rows: numberArgument(given.rows, DEFAULT_ROWS), sort };
        const items = await service.assigned(actor, page);
        return items.map((item) => itemOfV1(hitDocument, item, fields));
      },
    );

    app.get<ById>(
      '/api/v1/hit/:id',
      {
        access: schemas.READ_AUDITED,
        schema: {
          tags,
          summary: 'Get an alert',
          querystring: Type.Object({
            metadata: Type.Optional(
              Type.String({ description: 'What to add, separated by commas: template, overview, analytic, dossiers.' }),
            ),
          }),
          response: versioned,
        },
      },
      async ({ actor, params, query, headers }, reply) => {
        const kinds = textArgument((query as Readonly<Record<string, unknown>>).metadata);
        if (kinds === undefined) {
          const stored = await service.getStored(actor, params.id);
          if (headers['if-match'] === stored.version) return reply.code(304).send();
          reply.header('etag', stored.version);
          return answers.of(`${stored.version} ${params.id}`, () => toOutput(hitDocument, stored.document));
        }
        const found = await service.get(actor, params.id);
        const [added] = await metadata.of(actor, [found.document], kinds.split(','));
        return { ...withVersion(reply, found), ...added };
      },
    );

    app.put<ById>(
      '/api/v1/hit/:id/overwrite',
      {
        access: schemas.WRITE,
        schema: {
          tags,
          summary: 'Put fields into an alert',
          querystring: Type.Object({
            ...schemas.RefreshArgument,
            replace: Type.Optional(
              Type.Boolean({ description: 'Lists replace the stored ones instead of being appended.' }),
            ),
          }),
          body: schemas.PartialHitBody,
          response: versioned,
        },
      },
      async ({ actor, params, body, query }, reply) => {
        const options = { replaceLists: readFlag(query, 'replace'), visible: readRefresh(query) };
        return withVersion(reply, await service.overwrite(actor, params.id, body, options));
      },
    );

    app.put<ById>(
      '/api/v1/hit/:id/update',
      {
        access: schemas.WRITE,
        schema: {
          tags,
          summary: 'Apply operations to an alert',
          querystring: schemas.RefreshQuery,
          body: schemas.OperationsBody,
          response: versioned,
        },
      },
      async ({ actor, params, body, query }, reply) => {
        const visible = readRefresh(query);
        return withVersion(reply, await service.update(actor, params.id, readOperations(body), visible));
      },
    );

    app.put(
      '/api/v1/hit/update',
      {
        access: schemas.WRITE,
        schema: {
          tags,
          summary: 'Apply operations to every alert that matches a query',
          querystring: schemas.RefreshQuery,
          body: schemas.UpdateWhereBody,
          response: { 200: Type.Object({ success: Type.Boolean() }) },
        },
      },
      async ({ actor, body, query }) => {
        const visible = readRefresh(query);
        const given = objectBody(body);
        const text = requiredMember(given, 'query');
        if (typeof text !== 'string')
          throw new InvalidInput('query_not_text', 'The query must be a string.', { at: 'query' });
        const requested = readOperations(requiredMember(given, 'operations'));
        await ignoringUnreadableQuery(() => service.updateWhere(actor, text, requested, { visible }));
        return { success: true };
      },
    );
  };

const DEFAULT_ROWS = 25;

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

function hitsBody(body: unknown): readonly unknown[] {
  if (body === null || body === undefined) throw new InvalidInput('no_hits', 'No hits were sent.');
  if (!Array.isArray(body)) throw new InvalidInput('invalid_body', 'The body must be a list of hits.');
  return body;
}

function idsBody(body: unknown): readonly string[] {
  if (body === null || body === undefined) throw new InvalidInput('no_hits', 'No hit ids were sent.');
  return textListBody(body, 'The body must be a list of hit ids.');
}

/** A query that cannot be read finds nothing: clients of the public system get its plain success for it, as for one without matches. */
async function ignoringUnreadableQuery(update: () => Promise<unknown>): Promise<void> {
  try {
    await update();
  } catch (error) {
    if (!isTriadError(error) || error.code !== 'invalid_query') throw error;
  }
}

function textArgument(given: unknown): string | undefined {
  const value = Array.isArray(given) ? given.at(-1) : given;
  return typeof value === 'string' ? value : undefined;
}

/** What is not a whole number counts as not given, as in the public system. */
function numberArgument(given: unknown, standard: number): number {
  const text = textArgument(given);
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : standard;
}
