import { Type } from 'typebox';
import { InvalidInput } from '../../../errors/errors.ts';
import { pathParameters } from '../../../http/input/input-schemas.ts';
import type { RouteModule } from '../../../http/route-access.ts';
import { converted, field, refusing } from '../../../input/input-kinds.ts';
import { WRITE as access } from '../../record-access.ts';
import { NewHitsQuery } from '../hit-schemas.ts';
import type { FieldMap } from './tool-mapping.ts';
import type { ToolService } from './tool-service.ts';

export const ToolBody = Type.Object({
  map: converted(
    refusing(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'Dotted field of a record → fields of the alert that get its value.',
        examples: [{ 'sender.ip': ['source.ip'] }],
      }),
      () => new InvalidInput('invalid_map', "Invalid: 'map' field is missing or invalid.", { at: 'map' }),
    ),
    (map): FieldMap => new Map(Object.entries(map)),
  ),
  hits: refusing(
    Type.Array(field(Type.Record(Type.String(), Type.Unknown())), {
      description: 'Records as the tool has them.',
      examples: [[{ sender: { ip: '203.0.113.7' } }]],
    }),
    () => new InvalidInput('invalid_hits', "Invalid: 'hits' field is missing or invalid.", { at: 'hits' }),
  ),
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
      app.route({
        method,
        url: '/api/v1/tools/:tool_name/hits',
        access,
        schema: {
          deprecated: true,
          summary: 'Create alerts from the records of a tool',
          params: pathParameters({ tool_name: ['Name of the tool, which becomes the analytic.', 'Mail Gateway'] }),
          querystring: NewHitsQuery,
          body: ToolBody,
          response: { 201: ToolReply },
        },
        handler: async ({ actor, params, body, query }, reply) => {
          const { rows, warnings, refused } = await tools.create(actor, {
            tool: params.tool_name,
            map: body.map,
            records: body.hits,
            ignoreUnknown: query.ignore_extra_values,
            visible: query.refresh,
          });
          for (const warning of warnings) reply.warn(warning);
          if (refused) throw new InvalidInput('invalid_hits', 'No valid hits were provided', { response: rows });
          return rows;
        },
      });
    }
  };
