import type { TestProgram } from '../start-test-program.ts';

/** Basic credentials of the demo's administrator. */
export const ADMINISTRATOR = 'admin:devkey:admin';

export interface OperationsRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `user:password` or `user:key name:secret`; null: none. Default: an administrator of the demo. */
  readonly basic?: string | null;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request to the operations API, which never listens. */
export async function askOperations(
  program: Pick<TestProgram, 'operations'>,
  url: string,
  { method = 'GET', basic = ADMINISTRATOR, json, headers = {} }: OperationsRequest = {},
) {
  const answer = await program.operations.app.inject({
    method,
    url,
    headers: {
      ...(basic === null ? {} : { authorization: `Basic ${btoa(basic)}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const body: any = answer.body === '' ? undefined : JSON.parse(answer.body);
  return { status: answer.statusCode, json: body, text: answer.body, headers: answer.headers };
}
