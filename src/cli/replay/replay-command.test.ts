import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../testing/analysis/analysis-program.ts';
import { seedSubmission } from '../../testing/analysis/seeded-submission.ts';
import { runCommandLine } from '../run-command-line.ts';

const ACCESS = unrestricted('the test looks at everything');
let folder: string;
let here: AnalysisTestProgram;
let there: AnalysisTestProgram;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triad-replay-'));
  here = await startAnalysisTestProgram({ settings: { 'analysis.ui.allow_replay': true } });
  there = await startAnalysisTestProgram();
  for (const program of [here, there]) await program.saveUser('root', { type: ['admin'], classification: 'TLP:GREEN' });
  const { sha256 } = await here.foundation.files.put(Buffer.from('replayed'));
  await seedSubmission(here.store, { sid: 'one', files: [{ sha256 }], metadata: { replay: 'requested' } });
  await seedSubmission(here.store, { sid: 'two', files: [{ sha256 }] });
  await seedSubmission(here.store, {
    ...{ sid: 'secret', classification: 'TLP:AMBER', files: [{ sha256 }] },
    metadata: { replay: 'requested' },
  });
});
after(async () => {
  await Promise.all([here.close(), there.close()]);
  await rm(folder, { recursive: true, force: true });
});

const submissionAt = (program: AnalysisTestProgram, sid: string) =>
  program.foundation.datastore.collection(submissionDocument).get(sid, ACCESS);

async function triad(program: AnalysisTestProgram, words: readonly string[], key = 'key:secret') {
  const printed: string[] = [];
  const status = await runCommandLine(
    {
      environment: { TRIAD_API_KEY: key },
      version: '1',
      print: (line) => printed.push(line),
      printError: () => undefined,
      input: Readable.from([]),
      interactive: false,
      errorStream: process.stderr,
      terminal: false,
      createLogger: () => pino({ level: 'silent' }),
      ending: new AbortController().signal,
    },
    ['replay', ...words, '--user', 'root', '--server', program.urls.analysis],
  );
  return { status, printed };
}

describe('triad replay', () => {
  it('takes what was requested to another installation, once', async () => {
    assert.deepEqual(await triad(here, ['export', folder]), {
      status: 0,
      printed: ['exported\tsubmission_one.al_bundle'],
    });
    assert.equal((await submissionAt(here, 'one'))?.metadata.replay, 'done');
    assert.deepEqual(await triad(here, ['export', folder]), { status: 0, printed: [] });
    assert.deepEqual(await triad(there, ['import', folder, '--min-classification', 'TLP:GREEN']), {
      status: 0,
      printed: ['imported\tsubmission_one.al_bundle'],
    });
    const imported = await submissionAt(there, 'one');
    assert.deepEqual([imported?.classification, imported?.metadata.replay], ['TLP:GREEN', undefined]);
    assert.deepEqual(await readdir(folder), [], 'imported bundles are deleted');
  });

  it('exports what a query finds, and leaves bundles that are refused', async () => {
    assert.equal((await triad(here, ['export', folder, '--submissions', 'sid:two'])).status, 0);
    await writeFile(join(folder, 'broken.al_bundle'), 'no bundle');
    await writeFile(join(folder, 'note.txt'), 'no bundle either');
    const { status, printed } = await triad(there, ['import', folder]);
    assert.equal(status, 1);
    assert.match(printed[0] ?? '', /^failed\tbroken\.al_bundle\t400: .*Not a valid bundle/);
    assert.equal(printed[1], 'imported\tsubmission_two.al_bundle');
    assert.deepEqual((await readdir(folder)).sort(), ['broken.al_bundle', 'note.txt']);
  });

  it('fails where replay is off or the key is wrong', async () => {
    await seedSubmission(there.store, { sid: 'off', files: [], metadata: { replay: 'requested' } });
    const { status, printed } = await triad(there, ['export', folder]);
    assert.deepEqual([status, printed.length], [1, 1]);
    assert.match(printed[0] ?? '', /^failed\tsubmission_off\.al_bundle\t404: Api does not exist/);
    assert.notEqual((await triad(here, ['export', folder], 'key:wrong')).status, 0);
    assert.equal((await triad(here, ['import', join(folder, 'missing')])).status, 2);
  });
});
