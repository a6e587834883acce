import { Type } from 'typebox';
import { MAX_RESULT_WINDOW } from '../datastore/port/search.ts';
import { converted, flagOf, numberOf, reading } from '../input/input-kinds.ts';

/** The input `track_total_hits`: the largest total to report. */
export const totalLimit = converted(
  reading(
    Type.Union([Type.Boolean(), Type.Integer({ minimum: 0 })], {
      description: 'True: the exact total. A number: the largest total to report, 10,000 by default.',
      default: false,
    }),
    {
      accept: (value) => {
        if (typeof value !== 'string') return value;
        return value === '' ? undefined : (numberOf(value) ?? flagOf(value) ?? true);
      },
    },
  ),
  (given) => (given === true ? Number.POSITIVE_INFINITY : given || MAX_RESULT_WINDOW),
);
