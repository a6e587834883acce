import { InvalidInput } from '../../errors/errors.ts';
import { MAX_RESULT_WINDOW } from './search.ts';

/** @throws InvalidInput `result_window_too_large`, `invalid_rows` */
export function checkWindow(offset: number, rows: number): void {
  for (const [name, value] of [
    ['offset', offset],
    ['rows', rows],
  ] as const) {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new InvalidInput('invalid_rows', `${name} has to be a whole number that is not negative.`, { at: name });
    }
  }
  if (offset + rows > MAX_RESULT_WINDOW) {
    throw new InvalidInput(
      'result_window_too_large',
      `offset + rows must not exceed ${MAX_RESULT_WINDOW}. Use a cursor to read further.`,
      { at: 'offset' },
    );
  }
}
