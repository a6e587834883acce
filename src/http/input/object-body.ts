import { InvalidInput } from '../../errors/errors.ts';

/** The body when it is a JSON object. @throws InvalidInput `invalid_body` with `message`, for every other JSON */
export function objectBody(body: unknown, message = 'Invalid data format'): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new InvalidInput('invalid_body', message);
  return body as Readonly<Record<string, unknown>>;
}

/** As `objectBody`, of at least one member. */
export function filledObjectBody(body: unknown, message: string): Readonly<Record<string, unknown>> {
  const given = objectBody(body, message);
  if (Object.keys(given).length === 0) throw new InvalidInput('invalid_body', message);
  return given;
}

/** The body when it is a list of texts, maybe of none. @throws InvalidInput `invalid_body` with `message`, for everything else */
export function textListBody(body: unknown, message = 'Invalid data format'): readonly string[] {
  const isTextList = Array.isArray(body) && body.every((item) => typeof item === 'string');
  if (!isTextList) throw new InvalidInput('invalid_body', message);
  return body;
}

/** As `textListBody`, of at least one text. */
export function filledTextListBody(body: unknown, message: string): readonly string[] {
  const given = textListBody(body, message);
  if (given.length === 0) throw new InvalidInput('invalid_body', message);
  return given;
}
