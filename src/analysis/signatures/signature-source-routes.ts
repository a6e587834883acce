import { Type } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { documentOf, field, names } from '../../input/input-kinds.ts';
import { ANYONE, Anything, EXAMPLE_CLASSIFICATION, operation, Success } from '../operations/analysis-operation.ts';
import type { SignatureSources } from './signature-sources.ts';

const MANAGE: GuardedAccess = { ...ANYONE, quota: true, readOnly: false, roles: ['signature_manage'] };
const FAILURE = { success: false };
const ByService = pathParameters({ service: ['Name of the service.', 'YARA'] });
const BySource = pathParameters({
  service: ['Name of the service.', 'YARA'],
  name: ['Name of the source.', 'internal'],
});
const ByWildcard = pathParameters({
  service: ['Name of the service.', 'YARA'],
  '*': ['Name of the source.', 'internal'],
});
const sourceBody = (example: string) =>
  documentOf(
    {
      name: field(Type.String({ description: 'Name.' })),
      uri: field(Type.String({ description: 'Where it is.' })),
      default_classification: field(Type.String({ description: 'Classification of signatures that have none.' })),
    },
    {
      examples: [
        { name: example, uri: 'https://feed.example/rules.zip', default_classification: EXAMPLE_CLASSIFICATION },
      ],
    },
  );
const EnableBody = documentOf(
  { enabled: field(Type.Boolean({ description: 'Whether it is fetched.' })) },
  { examples: [{ enabled: true }] },
);
const UpdateQuery = Type.Object({
  sources: Type.Optional(names({ description: 'Names of the sources, `a,b`. Default: all.' })),
});

/** Serves `/api/v4/signature/sources/`: where services get their signatures from. */
export const signatureSourceRoutes =
  ({ sources }: { readonly sources: SignatureSources }): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/signature/sources/',
      {
        access: MANAGE,
        schema: operation('signature_get_signature_sources', 'List the sources of signatures by service', {
          reply: Anything,
        }),
      },
      ({ actor }) => sources.list(actor),
    );
    app.put(
      '/api/v4/signature/sources/:service/',
      {
        access: MANAGE,
        schema: operation('signature_add_signature_source', 'Add a source to a service', {
          params: ByService,
          body: sourceBody('partner'),
          reply: Success,
        }),
        refusal: FAILURE,
      },
      ({ actor, params: { service }, body }) => sources.add(actor, service, body),
    );
    app.post(
      '/api/v4/signature/sources/:service/:name/',
      {
        access: MANAGE,
        schema: operation('signature_update_signature_source', 'Replace a source of a service', {
          params: BySource,
          body: sourceBody('internal'),
          reply: Success,
        }),
        refusal: FAILURE,
      },
      ({ actor, params: { service, name }, body }) => sources.replace(actor, service, name, body),
    );
    app.delete(
      '/api/v4/signature/sources/:service/*',
      {
        access: MANAGE,
        wildcard: 'name',
        schema: operation('signature_delete_signature_source', 'Remove a source with its signatures', {
          params: ByWildcard,
          reply: Success,
        }),
        refusal: FAILURE,
      },
      ({ actor, params }) => sources.remove(actor, params.service, params['*'].replace(/\/$/, '')),
    );
    app.put(
      '/api/v4/signature/sources/enable/:service/:name/',
      {
        access: { ...MANAGE, roles: ['workflow_manage'], audit: true },
        schema: operation('signature_set_signature_source_status', 'Switch a source on or off', {
          params: BySource,
          body: EnableBody,
          reply: Success,
        }),
        refusal: FAILURE,
      },
      async ({ actor, params: { service, name }, body: { enabled } }) => {
        if (typeof enabled !== 'boolean') {
          throw new InvalidInput('source_incomplete', 'Enabled field is required', { response: FAILURE });
        }
        await sources.setEnabled(actor, service, name, enabled);
      },
    );
    app.put(
      '/api/v4/signature/sources/update/:service/',
      {
        access: MANAGE,
        schema: operation('signature_trigger_signature_source_update', 'Ask the updater of a service to fetch', {
          params: ByService,
          querystring: UpdateQuery,
          reply: Type.Object({ success: Type.Boolean(), sources: Type.Array(Type.String()) }),
        }),
        refusal: FAILURE,
      },
      async ({ actor, params: { service }, query }) => ({
        success: true,
        sources: await sources.update(actor, service, query.sources),
      }),
    );
  };
