import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { spawnProgram } from '../../src/testing/spawn-program.ts';
import { clusterFixture } from '../cluster/cluster-fixture.ts';

const FOLDER = join(import.meta.dirname, 'sockets');
const files = globSync(join(FOLDER, '*.json'));

describe('the recorded conversations of websockets', () => {
  it('replay without a mismatch', async () => {
    assert.ok(files.length > 14, `only ${files.length} conversations found`);
    const program = await spawnProgram({ flags: ['--demo=users'] });
    try {
      const { status, output } = await replay(program.alerts);
      assert.equal(status, 0, output);
    } finally {
      await program.stop();
    }
  });

  const engines = [
    ['opensearch', 'opensearch'],
    ['elasticsearch8', 'elasticsearch'],
    ['elasticsearch9', 'elasticsearch'],
  ] as const;
  for (const [name, type] of engines) {
    const { url, unavailable } = outsideServer(name);
    it(`replay on ${name} without a mismatch`, { skip: unavailable ?? false }, async () => {
      const fixture = clusterFixture(type, url);
      const program = await spawnProgram({ flags: ['--demo=users'], environment: fixture.environment });
      try {
        const { status, output } = await replay(program.alerts);
        assert.equal(status, 0, output);
      } finally {
        await program.stop();
        await fixture.clear();
      }
    });
  }
});

function replay(base: string): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, [join(FOLDER, 'replay-sockets.mjs'), base, ...files]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, output })));
}
