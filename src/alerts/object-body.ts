import { InvalidInput } from '../errors/errors.ts';

/** The body when it is a JSON object. @throws InvalidInput `invalid_body` with `message`, for every other JSON */
export function objectBody(body: unknown, message = 'Invalid data format'): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new InvalidInput('invalid_body', message);
  return body as Readonly<Record<string, unknown>>;
}

/** The body when it is a list of texts. @throws InvalidInput `invalid_body` with `message`, for everything else and for no text */
export function textListBody(body: unknown, message: string): readonly string[] {
  const isTextList = Array.isArray(body) && body.length > 0 && body.every((item) => typeof item === 'string');
  if (!isTextList) throw new InvalidInput('invalid_body', message);
  return body;
}
