import { Type } from 'typebox';
import { pathParameters } from '../../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../../http/route-access.ts';
import { ANY_CALLER } from '../../any-caller.ts';
import { anyBody, rejectSlashes, runContextOf, TimeoutQuery } from '../run-guard.ts';
import type { FetcherService } from './fetcher-service.ts';

const ACCESS: GuardedAccess = { ...ANY_CALLER, audit: true };
const tags = ['fetchers'];

const DefinitionReply = Type.Object({
  id: Type.String(),
  classification: Type.String({ description: 'Required to see and to run it.' }),
  description: Type.String(),
  format: Type.String({ description: 'Format of the data.' }),
  supported_types: Type.Array(Type.String(), { description: 'Types of values that it takes; empty: any.' }),
  extra_data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
const ListReply = Type.Record(Type.String(), DefinitionReply, { description: 'Fetchers by `source.fetcher`.' });

const RunReply = Type.Object({
  outcome: Type.Unsafe<'success' | 'failure'>({ type: 'string', enum: ['success', 'failure'] }),
  data: Type.Optional(Type.Unknown({ description: 'In the format, when the outcome is success.' })),
  error: Type.Optional(Type.String({ description: 'When the outcome is failure.' })),
  format: Type.String({
    description: '`markdown`, `json`, `image`, `status`, `graph`, `error`, or one of the source.',
  }),
  link: Type.Optional(Type.String()),
});
const RunBody = Type.Object(
  {
    type: Type.String({ description: 'Type of the value.' }),
    value: Type.String(),
    classification: Type.Optional(Type.String({ description: 'Default: unrestricted.' })),
  },
  {
    description: 'The value, which is checked and passed on as it is.',
    additionalProperties: true,
    examples: [{ type: 'domain', value: 'example.org' }],
  },
);
const params = pathParameters({
  pluginId: ['Name of the source.', 'example-plugin'],
  fetcherId: ['Identifier of the fetcher.', 'page'],
});

/** Serves `/api/v1/fetchers/`: what sources show of one value, such as a report or an image. */
export const fetcherRoutes =
  ({ fetchers }: { fetchers: Pick<FetcherService, 'list' | 'run'> }): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/fetchers/',
      { access: ACCESS, schema: { tags, summary: 'List the fetchers of sources', response: { 200: ListReply } } },
      async (request, reply) => fetchers.list(runContextOf(request, reply)),
    );

    app.post(
      '/api/v1/fetchers/:pluginId/:fetcherId',
      {
        access: ACCESS,
        body: 'typed_json',
        schema: {
          tags,
          summary: 'Run a fetcher',
          description:
            'The source runs the fetcher once; it is never repeated. A failure of the fetcher itself is a result with the outcome failure. 502: the source answered with an error or not at all, or its result is not valid.',
          params,
          querystring: TimeoutQuery,
          body: anyBody(RunBody),
          response: { 200: RunReply },
          refusals: [502, 504],
        },
      },
      async (request, reply) => {
        const { params, query, body } = request;
        rejectSlashes(request, params.pluginId, params.fetcherId);
        return fetchers.run(
          { source: params.pluginId, fetcher: params.fetcherId, body, timeout: query.max_timeout },
          runContextOf(request, reply),
        );
      },
    );
  };
