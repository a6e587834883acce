import type { TestProgram } from '../../../src/testing/start-test-program.ts';
import { ADMIN, sendJson } from '../alert-data.ts';

/** Stores a case. Returns its identifier. */
export async function storeCase(program: TestProgram, more: object = {}): Promise<string> {
  const json = { title: 'Phishing', summary: 'A summary.', ...more };
  const { case_id: id } = await sendJson(program, '/api/v2/case/?refresh=true', json);
  return id;
}

/** Returns a case as it is stored. */
export async function storedCase(program: TestProgram, id: string) {
  return (await program.request(`/api/v2/case/${id}`, { basic: ADMIN })).json.api_response;
}
