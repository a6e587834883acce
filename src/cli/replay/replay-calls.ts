import type { Connection } from '../connection.ts';

/** The analysis service refused a request. */
export class CallRejected extends Error {
  readonly status: number;

  constructor(status: number, message: unknown) {
    super(`${status}: ${String(message ?? 'not an answer of the analysis service')}`);
    this.status = status;
  }
}

/** Sends a request. @throws CallRejected with the reason */
export async function answerOf(
  { server, user, apiKey }: Connection,
  path: string,
  options: RequestInit & { readonly json?: unknown },
): Promise<Response> {
  const { json, ...rest } = options;
  const headers = {
    ...{ 'x-user': user, 'x-apikey': apiKey },
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const answer = await fetch(`${server}/api/v4/${path}`, { ...rest, ...body, headers, redirect: 'error' });
  if (answer.ok) return answer;
  const { api_error_message: message } = Object(await answer.json().catch(() => undefined));
  throw new CallRejected(answer.status, message);
}

/** Returns the content of an answer. @throws CallRejected with the reason */
export async function contentOf<T>(...call: Parameters<typeof answerOf>): Promise<T> {
  const { api_response: content } = (await (await answerOf(...call)).json()) as { api_response: T };
  return content;
}

/** Returns a string that cannot break a line or a column. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}

/** Returns why something failed. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
