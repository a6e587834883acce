import { InvalidInput } from '../../errors/errors.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { Type } from '../../schema/type.ts';
import { READ } from '../record-access.ts';
import { TASK_FILTERS, type TaskFilter, type TaskService } from './task-service.ts';

const DEFAULT_ROWS = 25;
const MAX_ROWS = 100;

const TextOrAbsent = Type.Optional(Type.String());
const TaskPageReply = Type.Object({
  items: Type.Array(
    Type.Object({
      task: Type.Object({
        id: Type.String(),
        complete: Type.Boolean(),
        assignment: Type.String(),
        summary: Type.String(),
        item: TextOrAbsent,
      }),
      case: Type.Object({
        __index: Type.Literal('case'),
        case_id: Type.String(),
        title: Type.String(),
        status: Type.String(),
        start: TextOrAbsent,
        end: TextOrAbsent,
        updated: TextOrAbsent,
        items: Type.Array(
          Type.Object({
            id: Type.String(),
            parent: TextOrAbsent,
            name: TextOrAbsent,
            value: Type.String(),
            classification: TextOrAbsent,
          }),
        ),
      }),
    }),
  ),
  offset: Type.Integer(),
  rows: Type.Integer(),
  has_more: Type.Boolean(),
});

/** `/api/v2/task`: what people have to do. */
export const taskRoutes =
  ({ tasks }: { tasks: TaskService }): RouteModule =>
  (app) => {
    app.get(
      '/api/v2/task/search',
      {
        access: READ,
        schema: {
          tags: ['task'],
          summary: "List the caller's tasks of all cases",
          querystring: Type.Object({
            offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
            rows: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ROWS, default: DEFAULT_ROWS })),
            filter: Type.Optional(Type.Union(TASK_FILTERS.map((filter) => Type.Literal(filter)))),
          }),
          response: { 200: TaskPageReply },
        },
      },
      async ({ actor, query }) => {
        const given = query as Readonly<Record<string, unknown>>;
        return tasks.search(actor, {
          offset: readNumber(given, 'offset', { standard: 0, least: 0 }),
          rows: readNumber(given, 'rows', { standard: DEFAULT_ROWS, least: 1, most: MAX_ROWS }),
          filter: readFilter(firstOf(given.filter)),
        });
      },
    );
  };

/** Plain digits. @throws InvalidInput `invalid_argument` */
function readNumber(
  given: Readonly<Record<string, unknown>>,
  name: string,
  { standard, least, most }: { readonly standard: number; readonly least: number; readonly most?: number },
): number {
  const text = firstOf(given[name]);
  if (text === undefined) return standard;
  const value = typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw refused(name, `'${name}' must be an integer.`);
  if (value < least) throw refused(name, `'${name}' must be at least ${least}.`);
  if (most !== undefined && value > most) throw refused(name, `'${name}' must be at most ${most}.`);
  return value;
}

/** @throws InvalidInput `invalid_argument` */
function readFilter(given: unknown): TaskFilter {
  if (given === undefined) return 'incomplete';
  const filter = TASK_FILTERS.find((known) => known === given);
  if (filter === undefined) throw refused('filter', `'filter' must be one of: ${TASK_FILTERS.join(', ')}.`);
  return filter;
}

function firstOf(given: unknown): unknown {
  return Array.isArray(given) ? given[0] : given;
}

function refused(name: string, message: string): InvalidInput {
  return new InvalidInput('invalid_argument', message, { at: name });
}
