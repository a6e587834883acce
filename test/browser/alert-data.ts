import assert from 'node:assert/strict';
import type { TestProgram } from '../../src/testing/start-test-program.ts';

/** Key of the administrator of a test program, for `request(path, { basic: ADMIN })`. */
export const ADMIN = 'admin:devkey:admin';

/** Sends JSON to the alert service (default: `POST` as the administrator). Returns `api_response`. */
export async function sendJson(
  program: TestProgram,
  path: string,
  json: unknown,
  { method = 'POST', basic = ADMIN } = {},
) {
  const { status, text, json: answer } = await program.request(path, { method, basic, json });
  assert.ok(status < 300, `${method} ${path}: ${text.slice(0, 300)}`);
  return answer?.api_response;
}

/** Stores alerts. Returns their identifiers in the same order. */
export async function storeAlerts(program: TestProgram, alerts: readonly object[]): Promise<string[]> {
  const { valid } = await sendJson(program, '/api/v1/hit?refresh=true', alerts);
  return valid.map(({ howler }: { howler: { id: string } }) => howler.id);
}

/** Returns alerts with the summaries `Alert 0`, `Alert 1`, …, each a minute older than the last. */
export function alertsOf(analytic: string, count: number, fields: object = {}): object[] {
  return Array.from({ length: count }, (_, index) => ({
    'howler.analytic': analytic,
    'event.created': new Date(Date.now() - index * 60_000).toISOString(),
    'howler.outline.summary': `Alert ${index}`,
    ...fields,
  }));
}

/** Returns the fields `howler.*` of an alert as they are stored. */
export async function storedAlert(program: TestProgram, id: string) {
  const { json } = await program.request(`/api/v1/hit/${id}`, { basic: ADMIN });
  return json.api_response.howler;
}

/** Returns how many stored alerts match a query. */
export async function countAlerts(program: TestProgram, query: string): Promise<number> {
  const { count } = await sendJson(program, '/api/v1/search/count/hit', { query });
  return count;
}

/** Returns the identifier of a stored record of a kind; `path` leads to it. */
export async function someIdentifier(program: TestProgram, kind: string, ...path: readonly string[]): Promise<string> {
  const json = { query: `_exists_:${path.join('.')}`, rows: 1 };
  const { items } = await sendJson(program, `/api/v1/search/${kind}`, json);
  return path.reduce((value, member) => value[member], items[0]);
}

/** Returns the path of the list that shows the alerts of an analytic. */
export function listOf(analytic: string): string {
  return `/alerts?q=${encodeURIComponent(`howler.analytic:"${analytic}"`)}`;
}
