import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { flag, names, text } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import { ANYONE, EXAMPLE_IDS, operation, Success } from '../operations/analysis-operation.ts';
import { attachmentHeaders } from '../operations/attachment-headers.ts';
import type { BundleExport } from './bundle-export.ts';
import type { BundleImport } from './bundle-import.ts';

export interface BundleRouteDependencies {
  readonly exports: BundleExport;
  readonly imports: BundleImport;
}

const ExportQuery = Type.Object({
  use_alert: flag({ description: 'The identifier is that of an alert, which goes into the bundle, too.', empty: true }),
});
const ImportQuery = Type.Object({
  allow_incomplete: flag({
    description: 'Accepts a bundle in which parts of the submission are missing.',
    empty: true,
  }),
  exist_ok: flag({ description: 'Leaves a submission that exists as it is, instead of a refusal.', empty: true }),
  rescan_services: Type.Optional(
    names({ description: 'Services and categories that run again over the files. The other results count.' }),
  ),
  to_ingest: flag({
    description: 'The services to run again wait with the files that came in bulk.',
    empty: true,
  }),
  complete_queue: Type.Optional(
    text({ description: 'Queue of notifications (`ingest/get_message`) that is told when the services have run.' }),
  ),
  min_classification: Type.Optional(text({ description: 'Lowest classification of what is imported.' })),
});

/** Serves `/api/v4/bundle/`: submissions with all that belongs to them (contract/analysis.md 6). */
export const bundleRoutes =
  ({ exports, imports }: BundleRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/bundle/:sid/',
      {
        access: { ...ANYONE, roles: ['bundle_download'], quota: true, audit: true },
        schema: operation('bundle_create_bundle', 'Download a submission with files, results and errors', {
          params: pathParameters({ sid: ['Identifier of the submission or alert.', EXAMPLE_IDS.submission] }),
          querystring: ExportQuery,
        }),
      },
      async (request, reply) => {
        const { sid } = request.params;
        const actor = callerOf(request);
        const packed = await (request.query.use_alert ? exports.ofAlert(actor, sid) : exports.ofSubmission(actor, sid));
        return reply.headers(attachmentHeaders(`${sid}.al_bundle`)).send(Readable.from(packed));
      },
    );

    app.post(
      '/api/v4/bundle/',
      {
        access: { ...ANYONE, roles: ['submission_create'], quota: true, audit: true, readOnly: false },
        body: 'stream',
        schema: operation('bundle_import_bundle', 'Import a bundle: a CaRT or tgz, also in Base64', {
          querystring: ImportQuery,
          reply: Success,
          refusals: [409, 413],
        }),
        refusal: { success: false },
      },
      async (request) => {
        const { raw, query } = request;
        await imports.import(callerOf(request), raw, {
          minClassification: query.min_classification,
          allowIncomplete: query.allow_incomplete,
          existOk: query.exist_ok,
          rescanServices: query.rescan_services ?? [],
          toIngest: query.to_ingest,
          completeQueue: query.complete_queue || undefined,
        });
        return { success: true };
      },
    );
  };
