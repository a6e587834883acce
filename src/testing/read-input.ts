import type { Static, TSchema } from 'typebox';
import { refusalOf } from '../http/input/request-input.ts';
import { InputProblem, inputReader } from '../input/input-reader.ts';

/** Reads an input as a route with this schema does. @throws the refusal */
export function readInput<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const result = inputReader(schema)(value);
  if (result instanceof InputProblem) throw refusalOf(result);
  return result;
}
