import { Type } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { integer, oneOf, reading, refusing } from '../../input/input-kinds.ts';
import { READ } from '../record-access.ts';
import { TASK_FILTERS, type TaskSearch } from './task-service.ts';

const DEFAULT_ROWS = 25;
const MAX_ROWS = 100;

const DIGITS = /^\d+$/;

/** A number written in plain digits, refused in the words of the public system. */
const digits = (
  name: string,
  range: { readonly minimum: number; readonly maximum?: number; readonly default: number },
) =>
  refusing(
    reading(integer(range), {
      accept: (value) => (typeof value === 'string' && DIGITS.test(value) ? Number(value) : value),
    }),
    ({ value }) => {
      const number = typeof value === 'string' && DIGITS.test(value) ? Number(value) : Number.NaN;
      const { minimum, maximum = Number.MAX_SAFE_INTEGER } = range;
      if (number < minimum) return refusal(name, `'${name}' must be at least ${minimum}.`);
      const isTooLarge = Number.isSafeInteger(number) && number > maximum;
      return refusal(name, isTooLarge ? `'${name}' must be at most ${maximum}.` : `'${name}' must be an integer.`);
    },
  );

const TaskQuery = Type.Object({
  offset: digits('offset', { minimum: 0, default: 0 }),
  rows: digits('rows', { minimum: 1, maximum: MAX_ROWS, default: DEFAULT_ROWS }),
  filter: refusing(oneOf(TASK_FILTERS, { default: 'incomplete' }), () =>
    refusal('filter', `'filter' must be one of: ${TASK_FILTERS.join(', ')}.`),
  ),
});

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
  (search: TaskSearch): RouteModule =>
  (app) => {
    app.get(
      '/api/v2/task/search',
      {
        access: READ,
        schema: {
          tags: ['task'],
          summary: "List the caller's tasks of all cases",
          querystring: TaskQuery,
          response: { 200: TaskPageReply },
        },
      },
      ({ actor, query }) => search(actor, query),
    );
  };

function refusal(name: string, message: string): InvalidInput {
  return new InvalidInput('invalid_argument', message, { at: name });
}
