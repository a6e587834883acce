import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { signatureDocument } from '../../documents/kinds/analysis/signature.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { documentOf, field, reading, refusing, saysTrue, text } from '../../input/input-kinds.ts';
import { ANYONE, Anything, operation, Success } from '../operations/analysis-operation.ts';
import type { SignatureArchive } from './signature-archive.ts';
import type { SignatureService } from './signature-service.ts';

const COUNTED: GuardedAccess = { ...ANYONE, quota: true, readOnly: false };
const IMPORT: GuardedAccess = { ...COUNTED, roles: ['signature_import'] };
const MANAGE: GuardedAccess = { ...COUNTED, roles: ['signature_manage'], audit: true };
const VIEW: GuardedAccess = { ...COUNTED, roles: ['signature_view'], audit: true };

const ById = pathParameters({ signature_id: ['`<type>_<source>_<identifier>`', 'yara_internal_rule1'] });
const ByStatus = pathParameters({
  signature_id: ['`<type>_<source>_<identifier>`', 'yara_internal_rule1'],
  status: ['New status.', 'DISABLED'],
});
const EXAMPLE = { name: 'rule1', type: 'yara', source: 'internal', data: 'rule rule1 { condition: true }' };
const SignatureBody = documentOf(
  {
    name: field(Type.String({ description: 'Name.' })),
    type: field(Type.String({ description: 'Service that the rule is for.' })),
    source: field(Type.String({ description: 'Where the rule comes from.' })),
    data: field(Type.String({ description: 'Text of the rule.' })),
    signature_id: field(Type.String({ description: 'Identifier in its source. Default: the name.' })),
    status: field(Type.String({ description: 'Whether the rule is in use.' })),
    classification: field(Type.String({ description: 'Who may see it.' })),
  },
  { examples: [EXAMPLE] },
);
const signaturesIncomplete = () =>
  new InvalidInput('signature_incomplete', 'Source, source type and data are mandatory fields.', { response: '' });
const SignaturesBody = refusing(
  Type.Array(field(Type.Object({}, { additionalProperties: true })), { examples: [[EXAMPLE]] }),
  signaturesIncomplete,
);
const dedupeName = reading(saysTrue({ description: 'Whether names are unique for type and source. Default true.' }), {
  accept: (value) => (value === undefined ? true : String(value).toLowerCase() === 'true'),
});
const AddQuery = Type.Object({ dedup_name: dedupeName });
const AddManyQuery = Type.Object({
  dedup_name: dedupeName,
  source: Type.Optional(text({ description: 'Source of all signatures.', examples: ['internal'] })),
  sig_type: Type.Optional(text({ description: 'Type of all signatures.', examples: ['yara'] })),
});
const DownloadQuery = Type.Object({
  query: text({ description: 'Lucene query of the signatures.', default: 'status:DEPLOYED' }),
});
const NewerQuery = Type.Object({
  last_update: Type.Optional(text({ description: 'Time of the last update.' })),
  type: Type.Optional(text({ description: 'Type of the signatures. Default: all.' })),
});
const AddedMany = Type.Object({
  success: Type.Integer(),
  errors: Type.Union([Type.Boolean(), Type.Array(Type.Unknown())]),
  skipped: Type.Array(Type.String()),
});

export interface SignatureRouteDependencies {
  readonly signatures: SignatureService;
  readonly archive: SignatureArchive;
}

/** Serves `/api/v4/signature/` but for sources (contract/analysis.md section 6, signature). */
export const signatureRoutes =
  ({ signatures, archive }: SignatureRouteDependencies): RouteModule =>
  (app) => {
    for (const method of ['post', 'put'] as const) {
      const suffix = method === 'post' ? '' : '_by_put';
      app[method](
        '/api/v4/signature/add_update/',
        {
          access: IMPORT,
          schema: operation(`signature_add_update_signature${suffix}`, 'Add or replace a signature', {
            querystring: AddQuery,
            body: SignatureBody,
            reply: Type.Object({ success: Type.Boolean(), id: Type.String() }),
          }),
        },
        async ({ actor, body, query }) => {
          const id = await signatures.add(actor, body, { dedupeName: query.dedup_name });
          return { success: true, id };
        },
      );
      app[method](
        '/api/v4/signature/add_update_many/',
        {
          access: IMPORT,
          schema: operation(`signature_add_update_many_signature${suffix}`, 'Add or replace many signatures', {
            querystring: AddManyQuery,
            body: SignaturesBody,
            reply: AddedMany,
            refusals: [413],
          }),
        },
        async ({ actor, body, query: { source, sig_type: type, dedup_name } }) => {
          if (source === undefined || type === undefined) throw signaturesIncomplete();
          const added = await signatures.addMany(actor, body, { type, source, dedupeName: dedup_name });
          return { ...added, errors: added.success === 0 ? [] : false };
        },
      );
    }
    app.get(
      '/api/v4/signature/change_status/:signature_id/:status/',
      {
        access: MANAGE,
        schema: operation('signature_change_status', 'Change the status of a signature', {
          params: ByStatus,
          reply: Success,
        }),
      },
      ({ actor, params: { signature_id: id, status } }) => signatures.setStatus(actor, id, status),
    );
    app.get(
      '/api/v4/signature/clear_status/:signature_id/',
      {
        access: MANAGE,
        schema: operation('signature_clear_status', 'Forget who changed the status of a signature', {
          params: ById,
          reply: Success,
        }),
      },
      ({ actor, params: { signature_id: id } }) => signatures.clearStatus(actor, id),
    );
    app.get(
      '/api/v4/signature/download/',
      {
        access: { ...COUNTED, roles: ['signature_download'], audit: true, xsrf: false },
        envelope: false,
        schema: operation('signature_download_signatures', 'Download signatures in a zip archive', {
          querystring: DownloadQuery,
          reply: Type.String({ description: 'The archive.' }),
          refusals: [413],
        }),
      },
      async ({ actor, query: { query } }, reply) => {
        const packed = await archive.pack(query, actor.searchAccess);
        const name = createHash('sha256').update(query).update(packed).digest('hex').slice(0, 7);
        reply.type('application/zip').header('content-length', packed.length);
        reply.header(
          'content-disposition',
          `attachment; filename=file.bin; filename*=UTF-8''al_signatures_${name}.zip`,
        );
        return reply.send(Buffer.from(packed));
      },
    );
    app.get(
      '/api/v4/signature/stats/',
      {
        access: VIEW,
        schema: operation('signature_signature_statistics', 'List how often signatures were hit', {
          reply: Type.Array(Anything),
        }),
      },
      ({ actor }) => signatures.statistics(actor.searchAccess),
    );
    app.get(
      '/api/v4/signature/update_available/',
      {
        access: VIEW,
        schema: operation('signature_update_available', 'Whether signatures changed after a time', {
          querystring: NewerQuery,
          reply: Type.Object({ update_available: Type.Boolean() }),
        }),
      },
      async ({ actor, query: { last_update: since, type } }) => ({
        update_available: await signatures.hasNewer(since, type, actor.searchAccess),
      }),
    );
    app.get(
      '/api/v4/signature/:signature_id/',
      {
        access: VIEW,
        schema: operation('signature_get_signature', 'Get a signature with its statistics', {
          params: ById,
          reply: Anything,
        }),
      },
      async ({ actor, params: { signature_id: id } }) =>
        wholeOutput(signatureDocument, await signatures.get(id, actor.searchAccess)),
    );
    app.delete(
      '/api/v4/signature/:signature_id/',
      {
        access: MANAGE,
        schema: operation('signature_delete_signature', 'Delete a signature', { params: ById, reply: Success }),
      },
      ({ actor, params: { signature_id: id } }) => signatures.delete(actor, id),
    );
  };
