import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AttackedProgram, startAttackedProgram } from './attacked-program.ts';

let program: AttackedProgram;
before(async () => {
  program = await startAttackedProgram();
});
after(() => program.stop());

describe('the probe beside attacks', () => {
  it('accepts a request that delays no other caller', async () => {
    const answer = await program.attackBesideOthers(() =>
      program.request('/api/v1/search/hit', { method: 'POST', basic: 'user:devkey:user', json: { query: '*:*' } }),
    );
    assert.equal(answer.status, 200);
  });

  it('fails when the program does not answer for a while', async () => {
    await assert.rejects(
      program.attackBesideOthers(async () => {
        program.process.child.kill('SIGSTOP');
        await new Promise((resolve) => setTimeout(resolve, 1500));
        program.process.child.kill('SIGCONT');
        await new Promise((resolve) => setTimeout(resolve, 200));
      }),
      /another caller waited/,
    );
  });
});
