import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiProblem } from '../../api/problem.ts';
import { atPresentVersion } from './present-version.ts';

const conflict = (code: string) => new ApiProblem('refused', { status: 409, code });

describe('a change at the present version', () => {
  it('is repeated with the next version while others write in between', async () => {
    let version = 0;
    const read = async () => ({ data: `object ${version}`, version: `v${version}` });
    const sent: unknown[] = [];
    const written = await atPresentVersion(read, async (present, headers) => {
      sent.push([present, headers]);
      version += 1;
      if (version < 3) throw conflict('version_conflict');
      return 'written';
    });
    assert.equal(written, 'written');
    assert.deepEqual(sent, [
      ['object 0', { 'if-match': 'v0' }],
      ['object 1', { 'if-match': 'v1' }],
      ['object 2', { 'if-match': 'v2' }],
    ]);
  });

  it('ends after a few attempts, and at once with any other refusal', async () => {
    const read = async () => ({ data: 1, version: undefined });
    for (const [code, attempts] of [
      ['version_conflict', 5],
      ['template_exists', 1],
    ] as const) {
      let count = 0;
      const write = async (_present: number, headers: object) => {
        count += 1;
        assert.deepEqual(headers, {});
        throw conflict(code);
      };
      await assert.rejects(atPresentVersion(read, write), { code });
      assert.equal(count, attempts);
    }
  });
});
