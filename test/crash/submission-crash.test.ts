import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, mock } from 'node:test';
import { pino } from 'pino';
import { loadConfig } from '../../src/config/config.ts';
import { MATCH_ALL } from '../../src/datastore/port/query-tree.ts';
import { unrestricted } from '../../src/datastore/port/read-access.ts';
import { fileDocument } from '../../src/documents/kinds/analysis/file.ts';
import { openServices } from '../../src/program.ts';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { until } from '../../src/testing/until.ts';
import {
  ingestFiles,
  readNotifications,
  SHORT_LIFE,
  type StoredSubmission,
  SubmissionLedger,
  send,
  submitFiles,
} from './submission-writer.ts';

const KILLS = Number(process.env.CRASH_KILLS ?? 3);
const SUBMISSIONS = KILLS >= 30 ? 500 : Math.max(60, 15 * KILLS);
const WRITERS = 3;
/** Milliseconds for what was under way at the last kill; tasks may have to reach their deadline. */
const LONGEST_END = 150_000;
const ENVIRONMENT = { SVC_UI_ENFORCE_QUOTA: 'false' };
const DAY = 86_400_000;
const ACCESS = unrestricted('a test looks at what is stored');

describe('submissions and files in bulk of a killed program', () => {
  it('all complete and are notified, no analyzer result is listed twice, no file lacks its bytes', async (test) => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'triad-submissions-'));
    const ledger = new SubmissionLedger();
    const start = (flags: readonly string[] = []) => spawnProgram({ dataFolder, flags, environment: ENVIRONMENT });
    let program = await start(['--demo=users']);
    try {
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const enough = Math.floor((kill * SUBMISSIONS) / (KILLS + 1));
        const life = liveOf(program, ledger);
        await until('enough submissions were answered', () => ledger.answered >= enough);
        await program.kill();
        await life.end();
        program = await start();
      }
      const life = liveOf(program, ledger);
      await life.written;
      const documents = await completed(program, ledger);
      await until('every notification came', () => ledger.unnotified.length === 0, LONGEST_END);
      await life.end();
      assertAnalysedOnce(documents);
      const often = [...ledger.notified].filter(([, times]) => times > 1 + KILLS);
      assert.deepEqual(often, [], 'notified more than once more for each kill');
      const repeated = [...ledger.notified.values()].filter((times) => times > 1).length;
      test.diagnostic(
        `${ledger.submitted.size} submissions, ${ledger.ingested.size} files in bulk, ${KILLS} kills, ${repeated} notified again`,
      );
      await program.stop();
      await assertFilesAreWhole(dataFolder);
    } finally {
      await program.kill();
      await rm(dataFolder, { recursive: true, force: true });
    }
  });
});

/** Clients of one life of the program. */
function liveOf(program: SpawnedProgram, ledger: SubmissionLedger) {
  const ending = new AbortController();
  const writers = Array.from({ length: WRITERS }, () => [
    submitFiles(program, ledger, SUBMISSIONS),
    ingestFiles(program, ledger, SUBMISSIONS),
  ]).flat();
  const reader = readNotifications(program, ledger, ending.signal);
  const written = Promise.all(writers);
  const ended = Promise.allSettled([...writers, written, reader]);
  return {
    written,
    async end() {
      ending.abort();
      await ended;
    },
  };
}

/** Waits until everything that was answered is completed; the documents. */
async function completed(program: SpawnedProgram, ledger: SubmissionLedger): Promise<readonly StoredSubmission[]> {
  const documents: StoredSubmission[] = [];
  for (const sid of ledger.submitted) {
    let document: StoredSubmission | undefined;
    await until(
      `${sid} is completed`,
      async () => {
        document = await send<StoredSubmission>(program, 'GET', `/api/v4/submission/${sid}/`);
        return document.state === 'completed';
      },
      LONGEST_END,
    );
    if (document !== undefined) documents.push(document);
  }
  return documents;
}

function assertAnalysedOnce(documents: readonly Pick<StoredSubmission, 'sid' | 'results' | 'errors'>[]): void {
  for (const { sid, results, errors } of documents) {
    const services = results.map((key) => key.split('.').slice(0, 2).join('.'));
    assert.equal(new Set(services).size, services.length, `${sid} lists an analyzer twice: ${results}`);
    assert.deepEqual(errors, [], `analyzers failed in ${sid}`);
    assert.ok(results.length > 0, `${sid} has no results`);
  }
}

/** Lets half of the files expire, cleans up, and compares documents and bytes. */
async function assertFilesAreWhole(dataFolder: string): Promise<void> {
  const before = await storedFiles(dataFolder, 0, []);
  const lacking = before.documents.filter((id) => !before.bytes.includes(id));
  assert.deepEqual(lacking, [], 'documents without bytes after the kills');
  const after = await storedFiles(dataFolder, (SHORT_LIFE + 1) * DAY, ['expiry', 'file_cleanup']);
  assert.deepEqual(after.bytes, after.documents, 'bytes and documents differ after the clean-up');
  assert.ok(after.documents.length < before.documents.length, 'nothing expired');
  assert.ok(after.documents.length > 0, 'everything expired');
}

/** Runs jobs as if `ahead` milliseconds had passed; the hashes of all documents and of all bytes. */
async function storedFiles(dataFolder: string, ahead: number, jobs: readonly string[]) {
  mock.timers.enable({ apis: ['Date'], now: Date.now() + ahead });
  const config = loadConfig({ environment: { SVC_DATA_FOLDER: dataFolder, SVC_CONF_FOLDER: import.meta.dirname } });
  const services = await openServices(config, { version: '0.0.0-test', logger: pino({ level: 'silent' }) });
  try {
    for (const name of jobs) {
      const options = { signal: new AbortController().signal, dryRun: false, progress: () => undefined };
      for (const step of await services.jobs.runNow(name, options)) assert.equal(step.outcome, 'done', step.detail);
    }
    const { datastore, files } = services.foundation;
    const documents: string[] = [];
    const everyFile = datastore.collection(fileDocument).stream({ query: MATCH_ALL, fields: [] }, ACCESS);
    for await (const { id } of everyFile) documents.push(id);
    const bytes: string[] = [];
    for await (const batch of files.list()) bytes.push(...batch.map(({ sha256 }) => sha256));
    return { documents: documents.toSorted(), bytes };
  } finally {
    await services.close();
    mock.timers.reset();
  }
}
