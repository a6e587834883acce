import { InvalidInput } from '../../../errors/errors.ts';
import { objectBody } from '../../../http/object-body.ts';
import type { RouteModule } from '../../../http/route-access.ts';
import { Type } from '../../../schema/type.ts';
import { readFlag } from '../../flag-argument.ts';
import { readRefresh } from '../../refresh-argument.ts';
import { RefreshArgument, WRITE_AUDITED } from '../hit-schemas.ts';
import { readFieldMap } from './tool-mapping.ts';
import type { ToolService } from './tool-service.ts';

interface ByTool {
  Params: { tool_name: string };
}

const ToolBody = Type.Object({
  map: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'Dotted field of a record → fields of the alert that get its value.',
  }),
  hits: Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'Records as the tool has them.' }),
});
const ToolReply = Type.Array(
  Type.Object({
    id: Type.Union([Type.String(), Type.Null()]),
    error: Type.Union([Type.String(), Type.Null()]),
    warn: Type.Optional(Type.Array(Type.String())),
    _case_id: Type.Optional(Type.String()),
  }),
);

/** `/api/v1/tools/<tool>/hits`: deprecated. */
export const toolRoutes =
  ({ tools }: { tools: ToolService }): RouteModule =>
  (app) => {
    for (const method of ['POST', 'PUT'] as const) {
      app.route<ByTool>({
        method,
        url: '/api/v1/tools/:tool_name/hits',
        access: WRITE_AUDITED,
        schema: {
          tags: ['tools'],
          deprecated: true,
          summary: 'Create alerts from the records of a tool',
          querystring: Type.Object({
            ...RefreshArgument,
            ignore_extra_values: Type.Optional(
              Type.Boolean({ description: 'Leave out fields that do not exist, with a warning each.' }),
            ),
          }),
          body: ToolBody,
          response: { 201: ToolReply },
        },
        handler: async ({ actor, params, body, query }, reply) => {
          const given = objectBody(body);
          const map = readFieldMap(given.map);
          if (!Array.isArray(given.hits)) {
            throw new InvalidInput('invalid_hits', "Invalid: 'hits' field is missing or invalid.", { at: 'hits' });
          }
          const { rows, warnings, refused } = await tools.create(actor, {
            tool: params.tool_name,
            map,
            records: given.hits,
            ignoreUnknown: readFlag(query, 'ignore_extra_values'),
            visible: readRefresh(query),
          });
          for (const warning of warnings) reply.warn(warning);
          if (refused) throw new InvalidInput('invalid_hits', 'No valid hits were provided', { response: rows });
          return rows;
        },
      });
    }
  };
