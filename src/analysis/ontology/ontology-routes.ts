import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { flag, listOf, text } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import { ANYONE, EXAMPLE_IDS, operation } from '../operations/analysis-operation.ts';
import { attachmentHeaders } from '../operations/attachment-headers.ts';
import type { OntologyService } from './ontology-service.ts';

const VIEW: GuardedAccess = { ...ANYONE, roles: ['submission_view'], quota: true, audit: true };
const service = listOf(text(), { description: 'Names of services. Default: all.', default: [] });
const FilterQuery = Type.Object({
  sha256: listOf(text(), { description: 'SHA-256 of files. Default: all.', default: [] }),
  service,
});
const FileQuery = Type.Object({
  service,
  all: flag({ description: 'Records of every version of a service, not only of the latest.', empty: true }),
});

/** Serves `/api/v4/ontology/`: records of results, one a line (contract/analysis.md section 6). */
export const ontologyRoutes =
  (ontology: OntologyService): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/ontology/submission/:sid/',
      {
        access: VIEW,
        schema: operation('ontology_get_ontology_for_submission', 'Download the records of a submission', {
          params: pathParameters({ sid: ['Identifier of the submission.', EXAMPLE_IDS.submission] }),
          querystring: FilterQuery,
        }),
      },
      async (request, reply) => {
        const { sid } = request.params;
        const { sha256: files, service: services } = request.query;
        const lines = await ontology.ofSubmission(callerOf(request), sid, { files, services });
        return reply.headers(attachmentHeaders(`submission_${sid}.ontology`)).send(Readable.from(lines));
      },
    );

    app.get(
      '/api/v4/ontology/alert/:alert_id/',
      {
        access: { ...VIEW, roles: ['alert_view'] },
        schema: operation('ontology_get_ontology_for_alert', 'Download the records of the submission of an alert', {
          params: pathParameters({ alert_id: ['Identifier of the alert.', EXAMPLE_IDS.alert] }),
          querystring: FilterQuery,
        }),
      },
      async (request, reply) => {
        const { alert_id: id } = request.params;
        const { sha256: files, service: services } = request.query;
        const lines = await ontology.ofAlert(callerOf(request), id, { files, services });
        return reply.headers(attachmentHeaders(`alert_${id}.ontology`)).send(Readable.from(lines));
      },
    );

    app.get(
      '/api/v4/ontology/file/:sha256/',
      {
        access: VIEW,
        schema: operation('ontology_get_ontology_for_file', 'Download the records of the results about a file', {
          params: pathParameters({ sha256: ['SHA-256 of the file.', EXAMPLE_IDS.file] }),
          querystring: FileQuery,
        }),
      },
      async (request, reply) => {
        const { sha256 } = request.params;
        const { service: services, all } = request.query;
        const lines = await ontology.ofFile(callerOf(request), sha256, { services, all });
        return reply.headers(attachmentHeaders(`file_${sha256}.ontology`)).send(Readable.from(lines));
      },
    );
  };
