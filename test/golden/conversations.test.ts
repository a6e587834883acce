import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { spawnProgram } from '../../src/testing/spawn-program.ts';
import { clusterFixture } from '../cluster/cluster-fixture.ts';

/** Conversations about query languages that are not served: EQL and Sigma. */
const NOT_SERVED = ['search-eql-sigma.json'];

const files = globSync(join(import.meta.dirname, 'alerts', '*.json')).filter(
  (file) => !NOT_SERVED.includes(basename(file)),
);

/**
 * Separates searches by relevance, whose orders were recorded on fresh indices.
 * Scores depend on all documents that a search engine counts.
 * Deleted ones count until they are merged: 171 summaries where 4 cases were left after the others.
 */
const [byRelevance, others] = [true, false].map((expected) =>
  files.filter((file) => basename(file).startsWith('fuzzy-') === expected),
);

describe('the recorded conversations of the alert service', () => {
  it('replay without a mismatch, twice in a row', async () => {
    assert.ok(files.length > 120, `only ${files.length} conversations found`);
    const program = await spawnProgram({ flags: ['--demo=users'] });
    try {
      for (const round of ['first', 'second']) {
        const { status, output } = await replay(program.alerts);
        assert.equal(status, 0, `${round} round:\n${output}`);
      }
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
        for (const part of [byRelevance, others]) {
          const { status, output } = await replay(program.alerts, part);
          assert.equal(status, 0, output);
        }
      } finally {
        await program.stop();
        await fixture.clear();
      }
    });
  }
});

function replay(base: string, part: readonly string[] = files): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'replay.mjs'), base, ...part]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, output })));
}
