import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AttackedProgram, startAttackedProgram } from './attacked-program.ts';

const basic = 'user:devkey:user';
const MAX_PARAMETER_LENGTH = 8192;

let program: AttackedProgram;
before(async () => {
  program = await startAttackedProgram();
});
after(() => program.stop());

describe('a path parameter', () => {
  const routes = [
    ['alerts', '/api/v1/hit/'],
    ['analysis', '/api/v4/user/'],
    ['enrichment', '/api/v1/configs/schema/'],
  ] as const;
  for (const [service, route] of routes) {
    it(`over the limit is a 414 at the ${service} service, with and without a credential`, async () => {
      for (const headers of [{}, { authorization: `Basic ${btoa(basic)}` }]) {
        for (const [length, isRefused] of [
          [MAX_PARAMETER_LENGTH + 1, true],
          [MAX_PARAMETER_LENGTH, false],
        ] as const) {
          const answer = await program.request(`${route}${'x'.repeat(length)}`, { service, headers });
          assert.equal(answer.status === 414, isRefused, `${length}: ${answer.text.slice(0, 300)}`);
          assert.ok(answer.status >= 400 && answer.status < 500, `${length}: ${answer.status}`);
          if (isRefused) assert.match(answer.json.api_error_message, /8192 characters, which is the limit/);
        }
      }
    });
  }
});
