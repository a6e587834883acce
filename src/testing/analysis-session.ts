import assert from 'node:assert/strict';
import type { TestProgram } from './start-test-program.ts';

/** Signs a user in to the analysis service; returns the headers of requests of the session. */
export async function analysisSession(
  program: Pick<TestProgram, 'request'>,
  user: string,
  password: string,
): Promise<Readonly<Record<string, string>>> {
  const { headers, text, status } = await program.request('/api/v4/auth/login/', {
    service: 'analysis',
    method: 'POST',
    json: { user, password },
  });
  assert.equal(status, 200, text);
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
  const token = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
  return { cookie: cookies.join('; '), 'x-xsrf-token': token };
}
