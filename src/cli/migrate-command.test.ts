import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { lockFolder } from '../datastore/embedded/folder-lock.ts';
import type { DataMigration } from '../migrations/migration.ts';
import { MIGRATIONS } from '../migrations/registry.ts';
import { WrongUse } from './command.ts';
import { readCommandLine } from './command-line.ts';
import { createMigrateCommand } from './migrate-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'triad-migrate-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const MAIN = join(import.meta.dirname, '..', 'start.mjs');
const IDS = MIGRATIONS.map(({ id }) => id);

/** Command lines that are refused, with what is said of them. */
const WRONG: readonly (readonly [readonly string[], RegExp])[] = [
  [[], /Nothing is selected/],
  [['--timeout=5'], /Nothing is selected/],
  [['--list', '--all'], /--list selects nothing/],
  [['--list', '--migration-id', 'action-owner-id-to-owner'], /--list selects nothing/],
  [['--all', '--migration-id', 'action-owner-id-to-owner'], /--all selects every/],
  [['--migration-id', 'no-such'], /No such migration: no-such.*action-owner-id-to-owner/],
  [['--migration-id', ''], /No such migration: ""/],
  [['--migration-id', 'action-owner-id-to-owner', '--migration-id=action-owner-id-to-owner'], /more than once/],
  [['--migration-id', 'action-owner-id-to-owner,access-fields-from-classification'], /No such migration/],
  [['--migration-id'], /needs a value/],
  [['--force'], /does not know --force/],
  [['--all', '--all'], /more than once/],
  [['--all', 'word'], /no arguments/],
  [['--all', '--timeout=0'], /above 0/],
  [['--all', '--timeout=-1'], /above 0/],
  [['--all', '--timeout='], /above 0/],
  [['--all', '--timeout=many'], /above 0/],
  [['--all', '--transport-timeout=Infinity'], /above 0/],
  [['--all', '--timeout=1', '--transport-timeout=1'], /the same/],
  [['--list', '--timeout=0'], /above 0/],
];

describe('triad migrate, where no module of the datastore can be loaded', () => {
  const hook = join(folder, 'no-datastore.mjs');
  const datastore = pathToFileURL(join(import.meta.dirname, '..', 'datastore')).href;
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module';
     registerHooks({ load(url, context, next) {
       if (url.startsWith(${JSON.stringify(`${datastore}/`)})) throw new Error('loaded ' + url);
       return next(url, context);
     } });`,
  );
  const triad = (words: readonly string[]) => {
    const environment = { PATH: process.env.PATH, SVC_DATA_FOLDER: join(folder, 'unused'), SVC_CONF_FOLDER: folder };
    const run = spawnSync(process.execPath, ['--import', pathToFileURL(hook).href, MAIN, ...words], {
      env: environment,
      encoding: 'utf8',
    });
    return { status: run.status, printed: run.stdout, told: run.stderr };
  };

  it('lists the migrations', () => {
    assert.deepEqual(triad(['migrate', '--list']), { status: 0, printed: `${IDS.join('\n')}\n`, told: '' });
  });

  it('refuses wrong use with status 2', () => {
    const { status, told } = triad(['migrate', '--migration-id=no-such']);
    assert.equal(status, 2, told);
    assert.match(told, /^No such migration: no-such\./);
  });

  it('refuses every wrong use with status 2', () => {
    // A process each would cost a third of a second each.
    const runner = join(folder, 'run-all.mjs');
    writeFileSync(
      runner,
      `const { runCommandLine } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'run-command-line.ts')).href)});
       const results = [];
       for (const words of JSON.parse(process.argv[2])) {
         let told = '';
         const printError = (line) => { told += line; };
         const context = { environment: process.env, print: printError, printError, errorStream: process.stderr, ending: AbortSignal.any([]) };
         results.push({ words, status: await runCommandLine(context, ['migrate', ...words]), told });
       }
       console.log(JSON.stringify(results));`,
    );
    const environment = { PATH: process.env.PATH, SVC_DATA_FOLDER: join(folder, 'unused'), SVC_CONF_FOLDER: folder };
    const given = JSON.stringify(WRONG.map(([words]) => words));
    const run = spawnSync(process.execPath, ['--import', pathToFileURL(hook).href, runner, given], {
      env: environment,
      encoding: 'utf8',
    });
    assert.equal(run.status, 0, run.stderr);
    const results = JSON.parse(run.stdout) as { words: string[]; status: number; told: string }[];
    assert.equal(results.length, WRONG.length);
    for (const [at, { words, status, told }] of results.entries()) {
      assert.equal(status, 2, `${words.join(' ')}: ${told}`);
      assert.match(told, WRONG[at]?.[1] ?? /^$/);
    }
  });

  it('tells its help', () => {
    assert.equal(triad(['--help']).status, 0);
    assert.match(triad(['migrate', '--help']).printed, /--migration-id VALUE/);
  });

  it('ends with status 1 when it is about to migrate: the hook works', () => {
    const { status, told } = triad(['migrate', '--all']);
    assert.equal(status, 1);
    assert.match(told, /ERROR: loaded file:.*\/src\/datastore\//);
  });
});

describe('triad migrate', () => {
  it('refuses what the command line must not say', async () => {
    for (const [words, message] of WRONG) {
      await assert.rejects(
        migrate(words, {}),
        (error) => error instanceof WrongUse && message.test(error.message),
        words.join(' '),
      );
    }
  });

  it('refuses a registry whose identifiers are empty or not unique', async () => {
    for (const registry of [[], [migration('')], [migration('a'), migration('a')]]) {
      await assert.rejects(migrate(['--list'], {}, registry), WrongUse);
      await assert.rejects(migrate(['--all'], {}, registry), WrongUse);
    }
  });

  it('runs what is selected in the order of the registry, once, and prints a table', async () => {
    const ran: string[] = [];
    const registry = ['a', 'b', 'c'].map((id) => migration(id, async () => ran.push(id)));
    const data = newFolder();
    const first = await migrate(['--migration-id=c', '--migration-id', 'a'], data, registry);
    assert.equal(first.status, 0, first.told);
    assert.deepEqual(ran, ['a', 'c']);
    const second = await migrate(['--all'], data, registry);
    assert.equal(second.status, 0);
    assert.deepEqual(ran, ['a', 'c', 'b']);
    assert.match(
      second.printed,
      /^MIGRATION +OUTCOME +DOCUMENTS +DURATION\na +already applied +1 .*\nb +applied now +3 +\d+\.\d s\nc +already applied +2 .*$/,
    );
  });

  it('warns when there is nothing under the prefix, which may be the wrong one', async () => {
    const data = newFolder();
    const first = await migrate(['--all'], data, [migration('a')]);
    assert.equal(first.status, 0);
    assert.match(first.told, /^WARNING: There is no index svc-\* .*SVC_DATASTORE_INDEX_PREFIX/);
    const second = await migrate(['--all'], data, [migration('a')]);
    assert.doesNotMatch(second.told, /WARNING/);
    const other = await migrate(['--all'], { ...data, SVC_DATASTORE_INDEX_PREFIX: 'scv' }, [migration('a')]);
    assert.match(other.told, /^WARNING: There is no index scv-\*/);
  });

  it('ends with status 1 when a migration fails, says why, and does not reach the next', async () => {
    const registry = [
      migration('good'),
      migration('bad', async () => Promise.reject(new Error('the disk sings'))),
      migration('late'),
    ];
    const { status, printed, told } = await migrate(['--all'], newFolder(), registry);
    assert.equal(status, 1);
    assert.match(told, /^ERROR: bad: the disk sings$/m);
    assert.match(printed, /good +applied now.*\nbad +failed +- +\d.*\nlate +not reached +- +-/);
  });

  it('ends with status 1 when the datastore cannot be closed, although everything is applied', async () => {
    const stuck: DataMigration = {
      ...migration('stuck'),
      load:
        async () =>
        async ({ datastore }) => {
          const close = datastore.close.bind(datastore);
          const failing = () => close().then(() => Promise.reject(new Error('the door jams')));
          Object.assign(datastore, { close: failing });
          return 0;
        },
    };
    const { status, printed, told } = await migrate(['--all'], newFolder(), [stuck]);
    assert.equal(status, 1);
    assert.match(printed, /stuck +applied now/);
    assert.match(told, /^ERROR: The datastore could not be closed: the door jams$/m);
  });

  it('gives requests to the datastore the time of --timeout, regardless of what the variable says', async () => {
    const nobody = {
      SVC_DATASTORE_TYPE: 'elasticsearch',
      SVC_DATASTORE_HOSTS: 'http://127.0.0.1:1',
      SVC_DATASTORE_TRANSPORT_TIMEOUT: '30',
    };
    for (const flag of ['--timeout=0.5', '--transport-timeout=0.5']) {
      const { status, told } = await migrate(['--all', flag], nobody);
      assert.equal(status, 1);
      assert.match(told, /^ERROR: .*127\.0\.0\.1:1 .*within 0\.5 seconds/);
    }
  });

  it('tells wrong variables with ERROR and status 1', async () => {
    for (const name of ['WAIT_TIMEOUT', 'POLL_INTERVAL', 'STALE_CLAIM_TIMEOUT']) {
      for (const value of ['-1', 'nan', 'inf', 'soon']) {
        const variable = `SVC_MIGRATION_${name}`;
        const { status, told } = await migrate(['--all'], { ...newFolder(), [variable]: value }, [migration('a')]);
        assert.equal(status, 1);
        assert.match(told, new RegExp(`^ERROR: environment variable ${variable}`));
      }
    }
  });

  it('says when another process has the data folder, and waits for another runner', async () => {
    const data = newFolder();
    const serving = lockFolder(data.SVC_DATA_FOLDER);
    const refused = await migrate(['--all'], data, [migration('a')]);
    serving.release();
    assert.equal(refused.status, 1);
    assert.match(
      refused.told,
      /^ERROR: The data folder .* is in use by a process that is not a migration runner.*Stop it/,
    );

    const runner = lockFolder(data.SVC_DATA_FOLDER, 'migration.lock');
    const late = await migrate(['--all'], { ...data, SVC_MIGRATION_WAIT_TIMEOUT: '0.1' }, [migration('a')]);
    assert.equal(late.status, 1);
    assert.match(late.told, /Another migration runner has the data folder.*\nERROR: .*wait timeout of 0\.1 s/);
    const waiting = migrate(['--all'], { ...data, SVC_MIGRATION_POLL_INTERVAL: '0.01' }, [migration('a')]);
    setTimeout(() => runner.release(), 100);
    assert.equal((await waiting).status, 0);
  });

  it('ends with status 1 when it is asked to end while it waits', async () => {
    const data = newFolder();
    const runner = lockFolder(data.SVC_DATA_FOLDER, 'migration.lock');
    const ending = new AbortController();
    const waiting = migrate(['--all'], data, [migration('a')], ending.signal);
    setTimeout(() => ending.abort('SIGTERM'), 50);
    const { status, told } = await waiting;
    runner.release();
    assert.equal(status, 1);
    assert.match(told, /ERROR: Interrupted \(SIGTERM\)/);
  });
});

function migration(id: string, run: () => Promise<number> = async () => 0): DataMigration {
  return { id, title: 'Test', load: async () => run };
}

function newFolder(): { SVC_DATA_FOLDER: string } {
  return { SVC_DATA_FOLDER: mkdtempSync(join(folder, 'data-')) };
}

async function migrate(
  words: readonly string[],
  environment: Record<string, string>,
  registry: readonly DataMigration[] = MIGRATIONS,
  ending: AbortSignal = new AbortController().signal,
) {
  const printed: string[] = [];
  const told: string[] = [];
  const request = readCommandLine([createMigrateCommand(registry)], ['migrate', ...words]);
  assert.ok(request.kind === 'run');
  const status = await request.command.run(
    {
      environment: { SVC_CONF_FOLDER: folder, ...environment },
      version: '1.2.3',
      print: (line) => printed.push(line),
      printError: (line) => told.push(line),
      input: Readable.from(['']),
      interactive: false,
      errorStream: { isTTY: false } as NodeJS.WriteStream,
      terminal: false,
      createLogger: () => pino({ level: 'silent' }),
      ending,
    },
    request.flags,
    request.argument,
  );
  return { status, printed: printed.join('\n'), told: told.join('\n') };
}
