import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { pino } from 'pino';
import { listFolder } from '../../testing/enrichment/open-lists.ts';
import { runCommandLine } from '../run-command-line.ts';

describe('triad lists', () => {
  it('shows lists, updates them, and keeps the old one with the reason of a failure', async (context) => {
    const { triad, write } = open(context, [{ name: 'good' }, { name: 'broken', format: 'stix' }]);
    write('good', '192.0.2.1\n192.0.2.2\n');
    write('broken', '{"type": "bundle", "obj');
    const before = await triad(['lists']);
    assert.match(before.printed, /^LIST +FORMAT +ENTRIES +LEFT OUT +AGE +STATE\ngood +text +missing\n/);
    const updated = await triad(['lists', 'update']);
    assert.equal(updated.status, 1);
    assert.equal(updated.printed, 'good: 2 entries, 0 left out.');
    assert.match(updated.told, /^ERROR: broken: .*broken.*: .*\. The old list stays\.$/m);
    const after = await triad(['lists']);
    assert.equal(after.status, 0);
    assert.match(after.printed, /^good +text +2 +0 +0 min +ready$/m);
    assert.match(after.printed, /^broken +stix +missing, failed: .*broken/m);
    assert.equal((await triad(['lists', 'update', 'good'])).printed, 'good: unchanged.');
    assert.equal((await triad(['lists', 'update', 'good', '--force'])).printed, 'good: 2 entries, 0 left out.');
  });

  it('names the lists that there are for one that there is not', async (context) => {
    const { triad } = open(context, [{ name: 'good' }]);
    const { status, told } = await triad(['lists', 'update', 'god']);
    assert.equal(status, 2);
    assert.match(told, /No list is called "god"\. Allowed: good\./);
  });

  it('stops when it is interrupted, and does the rest the next time', async (context) => {
    const { triad, write } = open(context, [{ name: 'good' }]);
    write('good', 'a.example\n'.repeat(200_000));
    const ending = new AbortController();
    const running = triad(['lists', 'update'], ending.signal);
    setTimeout(() => ending.abort('SIGINT'), 100);
    const { status, told } = await running;
    assert.equal(status, 1);
    assert.match(told, /Interrupted \(SIGINT\)\. The old list stays; run it again\./);
    assert.equal((await triad(['lists', 'update'])).printed, 'good: 1 entries, 0 left out.');
  });
});

function open(context: TestContext, given: readonly Readonly<Record<string, string>>[]) {
  const files = listFolder(context);
  const lists = given.map((list) => ({ ...list, path: files.pathOf(list.name ?? '') }));
  const environment = {
    SVC_CONF_FOLDER: files.folder,
    SVC_DATA_FOLDER: files.pathOf('data'),
    SVC_ENRICHMENT_LISTS: JSON.stringify(lists),
  };
  return {
    ...files,
    async triad(words: readonly string[], ending = new AbortController().signal) {
      const [printed, told]: string[][] = [[], []];
      const status = await runCommandLine(
        {
          environment,
          version: '0.0.0-test',
          print: (line) => printed?.push(line),
          printError: (line) => told?.push(line),
          input: Readable.from([]),
          interactive: false,
          errorStream: process.stderr,
          terminal: false,
          createLogger: () => pino({ level: 'silent' }),
          ending,
        },
        words,
      );
      return { status, printed: printed?.join('\n') ?? '', told: told?.join('\n') ?? '' };
    },
  };
}
