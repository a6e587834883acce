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

/** Programs that replay at the same time: conversations wait far more than they work. */
const PROGRAMS = 4;

describe('the recorded conversations of websockets', { concurrency: true }, () => {
  it('replay without a mismatch', async () => {
    assert.ok(files.length > 14, `only ${files.length} conversations found`);
    await replayAll();
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
      try {
        await replayOn(files, fixture.environment);
      } finally {
        await fixture.clear();
      }
    });
  }
});

/** Replays all conversations, each program a part of them. */
async function replayAll(): Promise<void> {
  const parts = Array.from({ length: PROGRAMS }, (_, part) => files.filter((_, index) => index % PROGRAMS === part));
  await Promise.all(parts.map((part) => replayOn(part, {})));
}

async function replayOn(some: readonly string[], environment: Readonly<Record<string, string>>): Promise<void> {
  const program = await spawnProgram({ flags: ['--demo=users'], environment });
  try {
    const { status, output } = await replay(program.alerts, some);
    assert.equal(status, 0, output);
  } finally {
    await program.stop();
  }
}

function replay(
  base: string,
  some: readonly string[],
): Promise<{ readonly status: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [join(FOLDER, 'replay-sockets.mjs'), base, ...some]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, output })));
}
