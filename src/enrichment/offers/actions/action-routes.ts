import { Type } from 'typebox';
import { pathParameters } from '../../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../../http/route-access.ts';
import { ANY_CALLER } from '../../any-caller.ts';
import { anyBody, rejectSlashes, runContextOf, TimeoutQuery } from '../run-guard.ts';
import type { ActionService } from './action-service.ts';

const ACCESS: GuardedAccess = { ...ANY_CALLER, audit: true };
const tags = ['actions'];

const SpecReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  classification: Type.String({ description: 'Required to see and to run it.' }),
  summary: Type.Optional(Type.String()),
  supported_types: Type.Array(Type.String(), { description: 'Types of values that it takes; empty: any.' }),
  action_icon: Type.Optional(Type.String()),
  accept_empty: Type.Boolean({ description: 'Runs without any value.' }),
  accept_multiple: Type.Boolean({ description: 'Runs with several values at once.' }),
  format: Type.Optional(Type.String({ description: 'Format of the output.' })),
  extra_schema: Type.Unknown({ description: 'Merged over `params` for the form.' }),
  params: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON schema of the body that runs it.' }),
});
const ListReply = Type.Record(Type.String(), SpecReply, { description: 'Actions by `source.action`.' });

const RunReply = Type.Object({
  outcome: Type.Unsafe<'success' | 'failure'>({ type: 'string', enum: ['success', 'failure'] }),
  summary: Type.Optional(Type.String()),
  output: Type.Optional(Type.Unknown({ description: 'In the format.' })),
  format: Type.Optional(
    Type.String({ description: '`pivot`, `markdown`, `json`, `image`, `status`, `graph`, or one of the source.' }),
  ),
  link: Type.Optional(Type.String()),
});
const RunBody = Type.Object(
  {
    selector: Type.Optional(Type.Unknown({ description: 'The value, `{type, value, classification?}`, or null.' })),
    selectors: Type.Optional(Type.Array(Type.Unknown(), { description: 'Several values.' })),
    context: Type.Optional(Type.Unknown({ description: 'Where it is called: `{url, timestamp, language}`, or null.' })),
  },
  {
    description: 'Passed on to the source as it is, with the parameters of the action. Absent: an empty object.',
    additionalProperties: true,
    examples: [{ selector: { type: 'domain', value: 'example.org' }, selectors: [], context: null }],
  },
);
const params = pathParameters({
  pluginId: ['Name of the source.', 'example-plugin'],
  actionId: ['Identifier of the action.', 'note'],
});

/** Serves `/api/v1/actions/`: what sources do with values on request. */
export const actionRoutes =
  ({ actions }: { actions: Pick<ActionService, 'list' | 'run'> }): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/actions/',
      { access: ACCESS, schema: { tags, summary: 'List the actions of sources', response: { 200: ListReply } } },
      async (request, reply) => actions.list(runContextOf(request, reply)),
    );

    app.post(
      '/api/v1/actions/execute/:pluginId/:actionId',
      {
        access: ACCESS,
        body: 'typed_json',
        schema: {
          tags,
          summary: 'Run an action',
          description:
            'The source runs the action once; it is never repeated. A failure of the action itself is a result with the outcome failure. 500: the source answered with an error, or not at all. 502: its result is not valid.',
          params,
          querystring: TimeoutQuery,
          body: anyBody(RunBody),
          response: { 200: RunReply },
          refusals: [502, 504],
        },
      },
      async (request, reply) => {
        const { params, query, body } = request;
        rejectSlashes(request, params.pluginId, params.actionId);
        return actions.run(
          { source: params.pluginId, action: params.actionId, body: body ?? {}, timeout: query.max_timeout },
          runContextOf(request, reply),
        );
      },
    );
  };
